# Headers, the library xeinsum::compiled, a CMake package and pkg-config files under the usual
# directories. An installed tree may be moved: the files in it find each other by relative paths.

include(CMakePackageConfigHelpers)

set(package_directory ${CMAKE_INSTALL_DATADIR}/cmake/xeinsum)

install(DIRECTORY include/xeinsum DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
    FILES_MATCHING PATTERN "*.hpp")

set(xeinsum_library_file)
if(XEINSUM_INSTALL_COMPILED)
    install(TARGETS xeinsum_compiled
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
    get_target_property(type xeinsum_compiled TYPE)
    if(type STREQUAL "SHARED_LIBRARY")
        set(type SHARED)
    else()
        set(type STATIC)
    endif()
    set(xeinsum_library_file ${CMAKE_${type}_LIBRARY_PREFIX}xeinsum${CMAKE_${type}_LIBRARY_SUFFIX})
endif()

configure_package_config_file(cmake/xeinsum-config.cmake.in
    ${PROJECT_BINARY_DIR}/xeinsum-config.cmake
    INSTALL_DESTINATION ${package_directory}
    PATH_VARS CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_LIBDIR)
# Headers alone serve every architecture.
if(XEINSUM_INSTALL_COMPILED)
    set(independent)
else()
    set(independent ARCH_INDEPENDENT)
endif()
write_basic_package_version_file(${PROJECT_BINARY_DIR}/xeinsum-config-version.cmake
    COMPATIBILITY SameMinorVersion
    ${independent})
install(FILES
        cmake/xeinsum-targets.cmake
        ${PROJECT_BINARY_DIR}/xeinsum-config.cmake
        ${PROJECT_BINARY_DIR}/xeinsum-config-version.cmake
    DESTINATION ${package_directory})

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
if(XEINSUM_INSTALL_COMPILED)
    set(pc_libdir "\${prefix}")
    cmake_path(APPEND pc_libdir ${CMAKE_INSTALL_LIBDIR})
    foreach(name xeinsum-compiled xeinsum-compiled-views)
        configure_file(cmake/${name}.pc.in ${PROJECT_BINARY_DIR}/${name}.pc @ONLY)
        install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${pkgconfig_directory})
    endforeach()
endif()
