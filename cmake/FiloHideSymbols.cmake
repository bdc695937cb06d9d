# Renames private functions in a static library, so that a program may have functions with the same names:
# ecs_init becomes filo__ecs_init. In a shared library they are hidden.
#
#     cmake -DNM=nm -DOBJCOPY=objcopy -DLIBRARY=libfilo.a -DMODULES=base,ecs -P FiloHideSymbols.cmake

string(REPLACE "," "|" modules ${MODULES})
execute_process(COMMAND ${NM} --format=posix ${LIBRARY} OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "\n(${modules})_[a-zA-Z0-9_]+ " private "\n${symbols}")
list(REMOVE_DUPLICATES private)
list(TRANSFORM private STRIP)
list(TRANSFORM private REPLACE "(.+)" "\\1 filo__\\1\n")
string(JOIN "" map ${private})
file(WRITE ${LIBRARY}.private ${map})
execute_process(COMMAND ${OBJCOPY} --redefine-syms=${LIBRARY}.private ${LIBRARY} COMMAND_ERROR_IS_FATAL ANY)
file(REMOVE ${LIBRARY}.private)
