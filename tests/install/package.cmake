# Installs the project built in BINARY_DIR below SCRATCH, and moves it: it must not matter where the
# package was put first.

file(REMOVE_RECURSE ${SCRATCH})
execute_process(
    COMMAND ${CMAKE_COMMAND} --install ${BINARY_DIR} --config "${CONFIG}" --prefix ${SCRATCH}/first
    COMMAND_ERROR_IS_FATAL ANY)
file(RENAME ${SCRATCH}/first ${SCRATCH}/prefix)
