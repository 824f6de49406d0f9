# Packages: cpack --config build/release/CPackConfig.cmake makes the Debian package, with -G RPM the one for Fedora.
# Where Qt Multimedia was found, -D CPACK_PACKAGE_NAME=sonde-audio makes the Debian package of the module for audio.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME sonde)
set(CPACK_PACKAGE_VENDOR "The Sonde developers")
set(CPACK_PACKAGE_CONTACT ${SONDE_MAINTAINER})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY ${PROJECT_DESCRIPTION})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_SOURCE_DIR}/packaging/cpack-project.cmake)
set(CPACK_SONDE_BINARY_DIR ${PROJECT_BINARY_DIR})

# Lines of at most 79 characters; CPack writes a paragraph's end as Debian wants it.
set(description
"Sonde connects to servers of the Model Context Protocol (MCP) over the
standard streams of a child process or over HTTP, shows what they offer,
builds forms from their schemas and calls their tools. It records every
message in a session that can be opened again, replayed and compared.

This package contains the window, a command line for scripts and CI, and a
server for demonstrations and tests.")

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION ${description})
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Plugins are not seen by the search for libraries. Since Debian 13 those for SVG are a package of their own.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "ca-certificates, qt6-qpa-plugins, libqt6svg6 (<< 6.6) | qt6-svg-plugins, \
fonts-dejavu-core, libsecret-1-0")

# The texts of Qt's own buttons and dialogs.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS qt6-translations-l10n)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS sonde-audio)

set(CPACK_RPM_FILE_NAME RPM-DEFAULT)
set(CPACK_RPM_PACKAGE_RELEASE 1)
set(CPACK_RPM_PACKAGE_LICENSE "Apache-2.0 AND MIT")
set(CPACK_RPM_PACKAGE_GROUP Development/Tools)
set(CPACK_RPM_PACKAGE_DESCRIPTION ${description})
set(CPACK_RPM_PACKAGE_REQUIRES "ca-certificates, qt6-qtsvg, qt6-qttranslations, dejavu-sans-fonts, libsecret")
set(CPACK_RPM_CHANGELOG_FILE ${PROJECT_BINARY_DIR}/packaging/changelog.rpm)
# Folders that belong to other packages.
set(CPACK_RPM_EXCLUDE_FROM_AUTO_FILELIST_ADDITION
    /usr/share/applications /usr/share/bash-completion /usr/share/bash-completion/completions /usr/share/doc
    /usr/share/fish /usr/share/fish/vendor_completions.d /usr/share/icons /usr/share/icons/hicolor
    /usr/share/icons/hicolor/scalable /usr/share/icons/hicolor/scalable/apps
    /usr/share/icons/hicolor/scalable/mimetypes /usr/share/man /usr/share/man/man1 /usr/share/metainfo
    /usr/share/mime /usr/share/mime/packages /usr/share/zsh /usr/share/zsh/site-functions)
include(CPack)
