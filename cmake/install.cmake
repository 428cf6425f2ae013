# Headers, a CMake package and a pkg-config file under the usual directories.

include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

install(DIRECTORY include/xeinsum DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp")
install(TARGETS xeinsum EXPORT xeinsum-targets)
install(EXPORT xeinsum-targets
    NAMESPACE xeinsum::
    DESTINATION ${CMAKE_INSTALL_DATADIR}/cmake/xeinsum)

configure_package_config_file(cmake/xeinsum-config.cmake.in ${PROJECT_BINARY_DIR}/xeinsum-config.cmake
    INSTALL_DESTINATION ${CMAKE_INSTALL_DATADIR}/cmake/xeinsum)
# Nothing is compiled into the package, so it serves every architecture.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/xeinsum-config-version.cmake
    COMPATIBILITY SameMinorVersion
    ARCH_INDEPENDENT)
configure_file(cmake/xeinsum.pc.in ${PROJECT_BINARY_DIR}/xeinsum.pc @ONLY)

install(FILES
        ${PROJECT_BINARY_DIR}/xeinsum-config.cmake
        ${PROJECT_BINARY_DIR}/xeinsum-config-version.cmake
    DESTINATION ${CMAKE_INSTALL_DATADIR}/cmake/xeinsum)
install(FILES ${PROJECT_BINARY_DIR}/xeinsum.pc DESTINATION ${CMAKE_INSTALL_DATADIR}/pkgconfig)
