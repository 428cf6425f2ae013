# What a Makefile does: $(CXX) $(pkg-config --cflags xeinsum) main.cpp -o consumer

set(ENV{PKG_CONFIG_PATH} ${PC_DIRECTORY})
execute_process(COMMAND ${PKG_CONFIG} --cflags --print-errors xeinsum
    OUTPUT_VARIABLE flags COMMAND_ERROR_IS_FATAL ANY)
separate_arguments(flags UNIX_COMMAND "${flags}")
execute_process(COMMAND ${CXX} ${flags} ${SOURCE} -o ${PROGRAM}
    COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${PROGRAM} COMMAND_ERROR_IS_FATAL ANY)
