# 64-bit Arm from another Debian machine: packages g++-aarch64-linux-gnu and qemu-user, which runs
# the tests. Use: cmake -S . -B build/aarch64 -DCMAKE_TOOLCHAIN_FILE=cmake/aarch64.cmake

set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -L /usr/aarch64-linux-gnu)

# xtensor and xsimd are headers alone, but Debian keeps what find_package reads of them in the
# directory of the machine that builds. Only these two may come from there. Their headers are in
# /usr/include, which the compiler searches by itself after its own directories.
foreach(package IN ITEMS xtensor xsimd)
    file(GLOB found LIST_DIRECTORIES true /usr/lib/*-linux-gnu/cmake/${package})
    foreach(directory IN LISTS found)
        set(${package}_DIR ${directory} CACHE PATH "The package's configuration")
    endforeach()
endforeach()
