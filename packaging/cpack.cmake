# The Debian package: cpack --config build/release/CPackConfig.cmake
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME sonde)
set(CPACK_PACKAGE_VENDOR "The Sonde developers")
set(CPACK_PACKAGE_CONTACT "The Sonde developers <sonde@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Native explorer for Model Context Protocol servers")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
"Sonde connects to MCP servers over a child process's standard streams or over
 HTTP, shows what they offer, builds forms from their schemas, calls their
 tools and records every message in a session that can be reopened later.
 .
 It contains the window, a command line and a demo server.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Plugins are not seen by the search for libraries.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "ca-certificates, qt6-qpa-plugins, fonts-dejavu-core, libsecret-1-0")
include(CPack)
