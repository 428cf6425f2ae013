# The library as a shared one: exports what <xeinsum/compiled.hpp> declares and nothing else, and the
# program of OBJECT runs with it. CXX links what LIBRARY, a static one, holds by the script MAP in the
# folder TO.
set(shared ${TO}/libxeinsum.so)
execute_process(COMMAND ${CXX} -shared -Wl,--whole-archive ${LIBRARY} -Wl,--no-whole-archive
        -Wl,--version-script=${MAP} -o ${shared}
    COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${NM} -D -C --defined-only ${shared}
    OUTPUT_VARIABLE exported COMMAND_ERROR_IS_FATAL ANY)
string(REPLACE ";" "," exported "${exported}")
string(STRIP "${exported}" exported)
string(REPLACE "\n" ";" exported "${exported}")
list(LENGTH exported count)
list(FILTER exported EXCLUDE REGEX
    "xeinsum::(kernel::any_cpu|cpu\\(\\)|lowerings::target_of_cpu|parsing::(message|raise|read_into)<|resolve<|detail::refusal<)")
if(exported OR count LESS 50)
    message(FATAL_ERROR "Of ${count} exported: ${exported}")
endif()
execute_process(COMMAND ${CXX} ${OBJECT} ${shared} -o ${TO}/levels_shared
    COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${TO}/levels_shared COMMAND_ERROR_IS_FATAL ANY)
