# Headers, sources that a program may compile once, a CMake package and a pkg-config file under the usual directories. An installed tree may
# be moved: the files in it find each other by relative paths.

include(CMakePackageConfigHelpers)

set(package_directory ${CMAKE_INSTALL_DATADIR}/cmake/xeinsum)

install(DIRECTORY include/xeinsum DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
    FILES_MATCHING PATTERN "*.hpp")

configure_package_config_file(cmake/xeinsum-config.cmake.in
    ${PROJECT_BINARY_DIR}/xeinsum-config.cmake
    INSTALL_DESTINATION ${package_directory}
    PATH_VARS CMAKE_INSTALL_INCLUDEDIR)
# Nothing is compiled into the package, so it serves every architecture.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/xeinsum-config-version.cmake
    COMPATIBILITY SameMinorVersion
    ARCH_INDEPENDENT)
install(FILES
        cmake/xeinsum-targets.cmake
        ${PROJECT_BINARY_DIR}/xeinsum-config.cmake
        ${PROJECT_BINARY_DIR}/xeinsum-config-version.cmake
    DESTINATION ${package_directory})

install(DIRECTORY cmake/compiled DESTINATION ${package_directory})

# The prefix is only known when cmake --install runs, so the file names its own place instead. A
# directory outside of the prefix is absolute and stays so.
set(pkgconfig_directory ${CMAKE_INSTALL_DATADIR}/pkgconfig)
if(IS_ABSOLUTE ${pkgconfig_directory})
    set(pc_prefix ${CMAKE_INSTALL_PREFIX})
else()
    string(REGEX REPLACE "[^/]+" ".." up ${pkgconfig_directory})
    set(pc_prefix "\${pcfiledir}/${up}")
endif()
set(pc_includedir "\${prefix}")
cmake_path(APPEND pc_includedir ${CMAKE_INSTALL_INCLUDEDIR})
configure_file(cmake/xeinsum.pc.in ${PROJECT_BINARY_DIR}/xeinsum.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/xeinsum.pc DESTINATION ${pkgconfig_directory})
