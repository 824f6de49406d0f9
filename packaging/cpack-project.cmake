# Read by cpack once for each kind of package.
if(CPACK_GENERATOR STREQUAL DEB)
    list(APPEND CPACK_INSTALL_CMAKE_PROJECTS ${CPACK_SONDE_BINARY_DIR} sonde debian /)
endif()
