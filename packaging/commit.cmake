# Writes the source file that holds the commit of a build: cmake -DSOURCE=folder -DGIT=program -DOUTPUT=file -P commit.cmake
# The commit is empty where it cannot be told, as in a released archive.
set(commit "")
if(GIT AND EXISTS ${SOURCE}/.git)
    execute_process(COMMAND ${GIT} rev-parse --short=10 HEAD WORKING_DIRECTORY ${SOURCE}
                    OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
file(WRITE ${OUTPUT} "#include \"app/common/programversion.h\"\n\nconst char *const sonde::app::commit = \"${commit}\";\n")
