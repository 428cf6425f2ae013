# cmake -DNM= -DOBJCOPY= -DLEVEL= -DOBJECTS= -DTO= -P: copies object files to a folder, with the
# level's name behind that of each weak symbol that they define, and of what stands for several
# constructors: linkers keep one group of sections of a name.
cmake_minimum_required(VERSION 3.20)

foreach(object IN LISTS OBJECTS)
    get_filename_component(name ${object} NAME)
    string(REPLACE ".cpp" "" name ${name})
    execute_process(COMMAND ${NM} -a --defined-only --format=posix ${object}
        OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
    # Weak functions and objects, unique ones, names of groups alone.
    string(REGEX MATCHALL "_Z[^\n ]+ [WVun] |[^\n ]+ [WV] " weak "${symbols}")
    list(TRANSFORM weak REPLACE "^([^ ]+) [WVun] $" "\\1 \\1.${LEVEL}\n")
    string(JOIN "" names ${weak})
    file(WRITE ${TO}/${name}.names "${names}")
    execute_process(COMMAND ${OBJCOPY} --redefine-syms=${TO}/${name}.names ${object} ${TO}/${name}
        COMMAND_ERROR_IS_FATAL ANY)
endforeach()
