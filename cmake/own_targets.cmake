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
