# The targets of a project that uses xeinsum, the same from its sources and from the installed
# package. They are imported, so that a project may install(EXPORT) what links them; whoever uses
# that finds xeinsum by find_dependency(xeinsum).
#
#   xeinsum::xeinsum   the headers
#   xeinsum::openmp    the headers, on the threads of OpenMP
#   xeinsum::tbb       the headers, on the threads of oneTBB
#   xeinsum::compiled  <xeinsum/compiled.hpp> and the library that its calls run
#   xeinsum::compiled_views  <xeinsum/compiled_views.hpp> and the same library, without xtensor
#
# The variable xeinsum_include_directory says where the headers are, xeinsum_compiled_library the
# library, if there is one, xeinsum_backends which of openmp and tbb are wanted; their packages have
# been found. With xeinsum_without_xtensor there is xeinsum::compiled_views alone.

# Threads for what links the target.
function(xeinsum_give_threads target backend)
    if(backend STREQUAL "openmp")
        target_compile_definitions(${target} INTERFACE XEINSUM_USE_OPENMP)
        target_link_libraries(${target} INTERFACE OpenMP::OpenMP_CXX)
    else()
        target_compile_definitions(${target} INTERFACE XEINSUM_USE_TBB)
        target_link_libraries(${target} INTERFACE TBB::tbb)
    endif()
endfunction()

if(xeinsum_compiled_library AND NOT TARGET xeinsum::compiled_views)
    add_library(xeinsum::compiled_views INTERFACE IMPORTED GLOBAL)
    target_compile_features(xeinsum::compiled_views INTERFACE cxx_std_20)
    target_include_directories(xeinsum::compiled_views INTERFACE ${xeinsum_include_directory})
    target_link_libraries(xeinsum::compiled_views INTERFACE ${xeinsum_compiled_library})
endif()

if(NOT xeinsum_without_xtensor AND NOT TARGET xeinsum::xeinsum)
    add_library(xeinsum::xeinsum INTERFACE IMPORTED GLOBAL)
    target_compile_features(xeinsum::xeinsum INTERFACE cxx_std_20)
    # Of an imported target it is SYSTEM: whatever warnings a user turns on are about the user's code.
    target_include_directories(xeinsum::xeinsum INTERFACE ${xeinsum_include_directory})
    target_link_libraries(xeinsum::xeinsum INTERFACE xtensor xsimd)
    # An option of the whole project, a component of those that link it.
    if(XEINSUM_USE_OPENMP)
        xeinsum_give_threads(xeinsum::xeinsum openmp)
    elseif(XEINSUM_USE_TBB)
        xeinsum_give_threads(xeinsum::xeinsum tbb)
    endif()
endif()

foreach(xeinsum_backend IN LISTS xeinsum_backends)
    if(NOT TARGET xeinsum::${xeinsum_backend})
        add_library(xeinsum::${xeinsum_backend} INTERFACE IMPORTED GLOBAL)
        target_link_libraries(xeinsum::${xeinsum_backend} INTERFACE xeinsum::xeinsum)
        xeinsum_give_threads(xeinsum::${xeinsum_backend} ${xeinsum_backend})
    endif()
endforeach()

# The library, built here or installed.
if(xeinsum_compiled_library AND NOT xeinsum_without_xtensor AND NOT TARGET xeinsum::compiled)
    add_library(xeinsum::compiled INTERFACE IMPORTED GLOBAL)
    target_link_libraries(xeinsum::compiled INTERFACE xeinsum::xeinsum ${xeinsum_compiled_library}
        $<TARGET_NAME_IF_EXISTS:xeinsum::openmp> $<TARGET_NAME_IF_EXISTS:xeinsum::tbb>)
endif()

# Once, when all flags are known.
function(xeinsum_warn_of_no_optimisation)
    get_property(any_build_type GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
    get_directory_property(options COMPILE_OPTIONS)
    if(NOT any_build_type AND NOT CMAKE_BUILD_TYPE AND NOT "${CMAKE_CXX_FLAGS} ${options}" MATCHES "-O")
        message(WARNING "No CMAKE_BUILD_TYPE is set, so everything is compiled without optimisation "
            "and xeinsum runs a hundred times slower than it could. Configure with "
            "-DCMAKE_BUILD_TYPE=Release, or with None if your targets have -O2 of their own.")
    endif()
endfunction()
get_property(xeinsum_warns GLOBAL PROPERTY XEINSUM_WARNS SET)
if(NOT xeinsum_warns)
    set_property(GLOBAL PROPERTY XEINSUM_WARNS ON)
    cmake_language(EVAL CODE
        "cmake_language(DEFER DIRECTORY [[${CMAKE_SOURCE_DIR}]] CALL xeinsum_warn_of_no_optimisation)")
endif()
