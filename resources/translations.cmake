# The translations of the window, as :/translations/sonde_LANGUAGE.qm. Their sources are beside this file; see
# CONTRIBUTING.md for how to update them.
set(sonde_languages de ja zh_CN)
find_program(SONDE_LRELEASE NAMES lrelease lrelease-qt6
    HINTS ${QT6_INSTALL_PREFIX}/${QT6_INSTALL_BINS} ${QT6_INSTALL_PREFIX}/${QT6_INSTALL_LIBEXECS} REQUIRED)
set(sonde_translations)
foreach(language IN LISTS sonde_languages)
    set(source ${PROJECT_SOURCE_DIR}/resources/translations/sonde_${language}.ts)
    set(compiled ${PROJECT_BINARY_DIR}/translations/sonde_${language}.qm)
    add_custom_command(
        OUTPUT ${compiled}
        COMMAND ${SONDE_LRELEASE} -silent -nounfinished ${source} -qm ${compiled}
        DEPENDS ${source}
        VERBATIM)
    list(APPEND sonde_translations ${compiled})
endforeach()
qt_add_resources(sonde-ui "translations"
    PREFIX "/translations"
    BASE ${PROJECT_BINARY_DIR}/translations
    FILES ${sonde_translations})
