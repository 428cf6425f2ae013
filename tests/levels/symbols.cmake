# What a level has compiled for its instructions must serve nobody else: the object files OBJECTS,
# which NM looks at, define no weak symbol, and name no group of sections, without the level's name, and define nothing
# strong but tables.
string(REPLACE "," ";" OBJECTS "${OBJECTS}")
if(NOT OBJECTS)
    message(FATAL_ERROR "No object files")
endif()
foreach(object IN LISTS OBJECTS)
    execute_process(COMMAND ${NM} -a --defined-only --format=posix ${object}
        OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
    string(REGEX MATCHALL "_Z[^\n ]+ [WVun] |[^\n ]+ [WV] " weak "${symbols}")
    list(LENGTH weak count)
    if(count LESS 100)
        message(FATAL_ERROR "${object} has ${count} weak symbols: no kernels?")
    endif()
    list(FILTER weak EXCLUDE REGEX "\\.${LEVEL} [WVun] $")
    string(REGEX MATCHALL "[^\n ]+ [TDBRG] " strong "${symbols}")
    list(FILTER strong EXCLUDE REGEX "^_ZN7xeinsum8dispatch10kernels_of")
    if(weak OR strong)
        message(FATAL_ERROR "${object} defines for others: ${weak} ${strong}")
    endif()
endforeach()
