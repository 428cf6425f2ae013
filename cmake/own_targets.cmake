# What our own tests, examples and benchmarks are compiled with. Users get none of it.

find_package(Threads REQUIRED)
# That of the system first: it has the packages.
find_program(XEINSUM_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH)
find_program(XEINSUM_PYTHON python3)

add_library(xeinsum_own INTERFACE)
target_compile_features(xeinsum_own INTERFACE cxx_std_20)
# Not SYSTEM, unlike xeinsum::xeinsum: here our headers have to be free of warnings.
target_include_directories(xeinsum_own INTERFACE ${PROJECT_SOURCE_DIR}/include)
get_target_property(xeinsum_xtensor_includes xtensor INTERFACE_INCLUDE_DIRECTORIES)
target_include_directories(xeinsum_own SYSTEM INTERFACE ${xeinsum_xtensor_includes})
target_link_libraries(xeinsum_own INTERFACE xtensor xsimd)
target_compile_options(xeinsum_own INTERFACE -Wall -Wextra -Wconversion -Wshadow)
if(XEINSUM_WERROR)
    target_compile_options(xeinsum_own INTERFACE -Werror)
endif()
if(XEINSUM_NATIVE AND NOT CMAKE_CROSSCOMPILING)
    target_compile_options(xeinsum_own INTERFACE -march=native)
endif()

# Calls that leave their kernels to the library, which is compiled as users get it.
add_library(xeinsum_own_compiled INTERFACE)
target_link_libraries(xeinsum_own_compiled INTERFACE xeinsum_own xeinsum_compiled)

# g++ looks for memory that it could use again from 128 MB on, over and over, which takes a tenth of
# its time; from 512 MB on it takes up to 1.7 times the memory instead, 1 GB.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    foreach(target xeinsum_compiled ${xeinsum_level_targets})
        target_compile_options(${target} PRIVATE --param=ggc-min-heapsize=524288)
    endforeach()
    target_compile_options(xeinsum_own INTERFACE --param=ggc-min-heapsize=524288)
endif()
