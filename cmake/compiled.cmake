# The library behind <xeinsum/compiled.hpp>: target xeinsum_compiled, static unless
# BUILD_SHARED_LIBS. Planning is compiled once, kernels once for each level of instructions.

set(XEINSUM_LEVELS "avx2;avx512" CACHE STRING
    "Levels of instructions beyond the least that xeinsum::compiled has on x86-64: avx2;avx512, avx2 or none")
set(xeinsum_levels)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$" AND CMAKE_SIZEOF_VOID_P EQUAL 8
        AND CMAKE_NM AND CMAKE_OBJCOPY AND NOT MSVC)
    if(NOT XEINSUM_LEVELS MATCHES "^(|avx2|avx2;avx512)$")
        message(FATAL_ERROR "XEINSUM_LEVELS is ${XEINSUM_LEVELS}; it may be avx2;avx512, avx2 or empty")
    endif()
    set(xeinsum_levels ${XEINSUM_LEVELS})
    # Whatever the project's flags say, a level has these instructions and no others.
    set(xeinsum_flags_avx2 -march=x86-64 -mavx2 -mfma)
    set(xeinsum_flags_avx512 ${xeinsum_flags_avx2}
        -mavx512f -mavx512bw -mavx512dq -mavx512vl -mavx512cd)
endif()
list(LENGTH xeinsum_levels xeinsum_level_count)
math(EXPR xeinsum_level_count "${xeinsum_level_count} + 1")

set(xeinsum_compiled_directory ${CMAKE_CURRENT_LIST_DIR}/compiled)
set(xeinsum_kernel_sources)
foreach(elements float double complex integer)
    list(APPEND xeinsum_kernel_sources ${xeinsum_compiled_directory}/kernels_${elements}.cpp)
endforeach()

# What every file of the library is compiled with. Not xeinsum::xeinsum, which may bring threads:
# those are of the files that call.
function(xeinsum_set_up_compiled target)
    target_compile_features(${target} PRIVATE cxx_std_20)
    target_include_directories(${target} SYSTEM PRIVATE ${xeinsum_include_directory})
    target_link_libraries(${target} PRIVATE xsimd)
    set_target_properties(${target} PROPERTIES
        POSITION_INDEPENDENT_CODE ON CXX_SCAN_FOR_MODULES OFF INTERPROCEDURAL_OPTIMIZATION OFF)
    # Without optimisation kernels are some hundred times as slow; more of it makes them twice as
    # large and no faster.
    target_compile_options(${target} PRIVATE -O2)
endfunction()

# Inline functions that a level has compiled for its instructions must not serve the rest of a
# program: in its object files all weak symbols get names of their own.
set(xeinsum_renamed)
set(xeinsum_level_targets)
foreach(level IN LISTS xeinsum_levels)
    set(target xeinsum_kernels_${level})
    list(APPEND xeinsum_level_targets ${target})
    add_library(${target} OBJECT EXCLUDE_FROM_ALL ${xeinsum_kernel_sources})
    xeinsum_set_up_compiled(${target})
    target_compile_options(${target} PRIVATE ${xeinsum_flags_${level}} -fno-lto)
    target_compile_definitions(${target} PRIVATE XEINSUM_LEVEL=${level})
    set(renamed)
    foreach(source IN LISTS xeinsum_kernel_sources)
        get_filename_component(name ${source} NAME_WE)
        list(APPEND renamed
            ${CMAKE_CURRENT_BINARY_DIR}/xeinsum_${level}/${name}${CMAKE_CXX_OUTPUT_EXTENSION})
    endforeach()
    add_custom_command(OUTPUT ${renamed}
        COMMAND ${CMAKE_COMMAND} -DNM=${CMAKE_NM} -DOBJCOPY=${CMAKE_OBJCOPY} -DLEVEL=${level}
            "-DOBJECTS=$<JOIN:$<TARGET_OBJECTS:${target}>,$<SEMICOLON>>"
            -DTO=${CMAKE_CURRENT_BINARY_DIR}/xeinsum_${level}
            -P ${CMAKE_CURRENT_LIST_DIR}/rename_weak.cmake
        DEPENDS ${target} $<TARGET_OBJECTS:${target}> ${CMAKE_CURRENT_LIST_DIR}/rename_weak.cmake
        COMMENT "Keeping ${level} to kernels"
        VERBATIM)
    set_source_files_properties(${renamed} PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
    set(xeinsum_${level}_objects ${renamed})
    list(APPEND xeinsum_renamed ${renamed})
endforeach()

set(xeinsum_compiled_all EXCLUDE_FROM_ALL)
if(XEINSUM_INSTALL_COMPILED)
    set(xeinsum_compiled_all)
endif()
add_library(xeinsum_compiled ${xeinsum_compiled_all}
    ${xeinsum_compiled_directory}/calls.cpp
    ${xeinsum_compiled_directory}/cpu.cpp
    ${xeinsum_kernel_sources}
    ${xeinsum_renamed})
xeinsum_set_up_compiled(xeinsum_compiled)
target_compile_definitions(xeinsum_compiled PRIVATE XEINSUM_LEVELS=${xeinsum_level_count})
set_target_properties(xeinsum_compiled PROPERTIES
    OUTPUT_NAME xeinsum
    VERSION ${PROJECT_VERSION}
    SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
if(UNIX AND NOT APPLE)
    # Nothing but what <xeinsum/compiled.hpp> declares.
    target_link_options(xeinsum_compiled
        PRIVATE LINKER:--version-script=${xeinsum_compiled_directory}/exported.map)
    set_target_properties(xeinsum_compiled PROPERTIES
        LINK_DEPENDS ${xeinsum_compiled_directory}/exported.map)
endif()
