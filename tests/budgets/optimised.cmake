# The object files of xeinsum_compiled below the folder OBJECTS were optimised, whatever the build
# type: without, each operation on a register is a function of its own.

file(GLOB_RECURSE objects ${OBJECTS}/*float.cpp.o)
list(LENGTH objects count)
if(NOT count EQUAL 1)
    message(FATAL_ERROR "Not one object file: ${objects}")
endif()
execute_process(COMMAND ${NM} ${objects} OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
if(NOT symbols MATCHES " W _ZN7xeinsum6kernel10small_gemmIf")
    message(FATAL_ERROR "No kernels in ${objects}")
endif()
if(symbols MATCHES " W _ZN7xeinsum6kernel4simdI[^\n]*7mul_add")
    message(FATAL_ERROR "Not optimised: ${objects}")
endif()
