# Read by cpack once for each kind of package.
if(CPACK_PACKAGE_NAME STREQUAL sonde-audio)
    set(CPACK_INSTALL_CMAKE_PROJECTS ${CPACK_SONDE_BINARY_DIR} sonde audio /)
    set(CPACK_DEBIAN_PACKAGE_SECTION sound)
    set(CPACK_DEBIAN_PACKAGE_DEPENDS "sonde (= ${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})")
    set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "")
    set(CPACK_DEBIAN_PACKAGE_SUGGESTS "")
    set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Audio player of the MCP explorer Sonde")
    set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "Lets Sonde play the audio in results of MCP servers, and show the waveform
of compressed audio. Without this package Sonde shows what it is and saves it.")
elseif(CPACK_GENERATOR STREQUAL DEB)
    list(APPEND CPACK_INSTALL_CMAKE_PROJECTS ${CPACK_SONDE_BINARY_DIR} sonde debian /)
endif()
