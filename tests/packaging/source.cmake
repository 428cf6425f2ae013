# Writes the source tarball, unpacks it below SCRATCH and configures what was in it, tests and all:
# CMake refuses if a source is missing.

file(REMOVE_RECURSE ${SCRATCH})
execute_process(
    COMMAND ${CPACK} --config ${BINARY_DIR}/CPackSourceConfig.cmake -B ${SCRATCH}
    OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
set(name xeinsum-${VERSION})
file(ARCHIVE_EXTRACT INPUT ${SCRATCH}/${name}.tar.gz DESTINATION ${SCRATCH}/unpacked)
set(source ${SCRATCH}/unpacked/${name})
foreach(file dev LICENSE README.md CMakePresets.json include/xeinsum/version.hpp docs/building.md
        bench/CMakeLists.txt packaging/README.md .ci/run)
    if(NOT EXISTS ${source}/${file})
        message(FATAL_ERROR "The tarball lacks ${file}")
    endif()
endforeach()
file(GLOB_RECURSE builds ${source}/CMakeCache.txt)
if(builds OR EXISTS ${source}/.git)
    message(FATAL_ERROR "The tarball has more than sources: ${builds}")
endif()
execute_process(
    COMMAND ${CMAKE_COMMAND} -S ${source} -B ${SCRATCH}/build -G ${GENERATOR}
        -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER=${CXX}
        -Dxtensor_DIR=${xtensor_DIR} -Dxsimd_DIR=${xsimd_DIR}
    OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
