# Compiles SOURCE, which includes one header, with every one of COMPILERS (commas between), as LANGUAGE c or cxx.

if(LANGUAGE STREQUAL "cxx")
    set(dialect -x c++ -std=c++17)
else()
    set(dialect -x c -std=c17)
endif()
string(REPLACE "," ";" compilers "${COMPILERS}")
foreach(compiler IN LISTS compilers)
    execute_process(
        COMMAND ${compiler} ${dialect} -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror
            -fsyntax-only -I${INCLUDE} ${SOURCE}
        RESULT_VARIABLE failed)
    if(failed)
        message(FATAL_ERROR "${compiler} refuses it")
    endif()
endforeach()
