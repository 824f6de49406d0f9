# What follows from the version in the project's CMakeLists.txt, for whatever is stamped with it: man pages, AppStream
# data, packages, --version.
#   SONDE_RELEASE_DATE     when this version was released (YYYY-MM-DD), as its heading in CHANGELOG.md has it
#   SONDE_COMMIT_TRIGGERS  files that change whenever another commit is checked out; empty outside a git tree
set(changelog ${PROJECT_SOURCE_DIR}/CHANGELOG.md)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${changelog})
file(STRINGS ${changelog} headings REGEX "^## [0-9]")
list(GET headings 0 heading)
if(NOT heading MATCHES "^## ([0-9.]+) \\(([0-9]+-[0-9]+-[0-9]+)\\)$" OR NOT CMAKE_MATCH_1 STREQUAL PROJECT_VERSION)
    message(FATAL_ERROR "The newest version in CHANGELOG.md should be written \"## ${PROJECT_VERSION} (YYYY-MM-DD)\", "
                        "but it is \"${heading}\".")
endif()
set(SONDE_RELEASE_DATE ${CMAKE_MATCH_2})

set(SONDE_COMMIT_TRIGGERS "")
find_package(Git QUIET)
if(GIT_FOUND AND EXISTS ${PROJECT_SOURCE_DIR}/.git)
    # In the log of HEAD every commit and checkout adds a line; HEAD itself stays the same while its branch moves on.
    foreach(name logs/HEAD HEAD)
        execute_process(COMMAND ${GIT_EXECUTABLE} rev-parse --git-path ${name}
                        WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE path
                        OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
        if(path)
            get_filename_component(path ${path} ABSOLUTE BASE_DIR ${PROJECT_SOURCE_DIR})
            if(EXISTS ${path})
                list(APPEND SONDE_COMMIT_TRIGGERS ${path})
            endif()
        endif()
    endforeach()
endif()

# Who is named in packages and whom they can be asked about.
set(SONDE_MAINTAINER "The Sonde developers <sonde@users.noreply.github.com>")
