# The sources as xeinsum-<version>.tar.gz: cpack --config build/dev/CPackSourceConfig.cmake, or
# target package_source. All that is in the folder, without builds and version control.

set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_SOURCE_GENERATOR TGZ)
set(CPACK_SOURCE_PACKAGE_FILE_NAME xeinsum-${PROJECT_VERSION})
# Anchored, as the folder itself may lie below one that is called build.
string(REGEX REPLACE "([^A-Za-z0-9/_-])" "\\\\\\1" root ${PROJECT_SOURCE_DIR})
string(REGEX REPLACE "([^A-Za-z0-9/_-])" "\\\\\\1" built ${PROJECT_BINARY_DIR})
set(CPACK_SOURCE_IGNORE_FILES "^${root}/build/" "^${root}/build-" "^${root}/\\.git/" "^${root}/\\.git$"
    "^${built}/" "^${root}/packaging/conan/test_package/build/" "/__pycache__/")
include(CPack)
