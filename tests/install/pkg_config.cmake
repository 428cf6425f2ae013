# What a Makefile does: $(CXX) main.cpp $(pkg-config --cflags --libs xeinsum) -o consumer

set(ENV{PKG_CONFIG_PATH} ${PC_DIRECTORY})
execute_process(COMMAND ${PKG_CONFIG} --cflags --libs --print-errors ${PACKAGE}
    OUTPUT_VARIABLE flags COMMAND_ERROR_IS_FATAL ANY)
separate_arguments(flags UNIX_COMMAND "${flags}")
string(REPLACE "," ";" SOURCES "${SOURCES}")
execute_process(COMMAND ${CXX} ${SOURCES} ${flags} -o ${PROGRAM}
    COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${PROGRAM} COMMAND_ERROR_IS_FATAL ANY)
