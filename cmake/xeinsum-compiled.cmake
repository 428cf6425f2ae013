# Target xeinsum::compiled: what calls in float and double run, compiled once, in the user's project
# and with its flags, for files that include <xeinsum/compiled.hpp>. Built where something links it.

add_library(xeinsum_compiled STATIC EXCLUDE_FROM_ALL
    ${CMAKE_CURRENT_LIST_DIR}/compiled/double.cpp
    ${CMAKE_CURRENT_LIST_DIR}/compiled/float.cpp)
add_library(xeinsum::compiled ALIAS xeinsum_compiled)
target_link_libraries(xeinsum_compiled PUBLIC xeinsum::xeinsum)
