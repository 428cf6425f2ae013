# The targets of a project that uses xeinsum, the same from its sources and from the installed
# package. They are imported, so that a project may install(EXPORT) what links them; whoever uses
# that finds xeinsum by find_dependency(xeinsum).
#
#   xeinsum::xeinsum   the headers
#   xeinsum::openmp    the headers, on the threads of OpenMP
#   xeinsum::tbb       the headers, on the threads of oneTBB
#   xeinsum::compiled  <xeinsum/compiled.hpp> and what it leaves out
#
# The variable xeinsum_include_directory says where the headers are, xeinsum_backends which of
# openmp and tbb are wanted; their packages have been found.

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

if(NOT TARGET xeinsum::xeinsum)
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

# What calls run is compiled once, in the user's project and with its flags, if
# something links it; libraries and programs that do take the object files in.
if(NOT TARGET xeinsum_compiled)
    set(xeinsum_threads
        $<TARGET_NAME_IF_EXISTS:xeinsum::openmp> $<TARGET_NAME_IF_EXISTS:xeinsum::tbb>)
    add_library(xeinsum_compiled OBJECT EXCLUDE_FROM_ALL
        ${CMAKE_CURRENT_LIST_DIR}/compiled/complex.cpp
        ${CMAKE_CURRENT_LIST_DIR}/compiled/double.cpp
        ${CMAKE_CURRENT_LIST_DIR}/compiled/float.cpp
        ${CMAKE_CURRENT_LIST_DIR}/compiled/integer.cpp)
    set_target_properties(xeinsum_compiled PROPERTIES
        POSITION_INDEPENDENT_CODE ON CXX_SCAN_FOR_MODULES OFF)
    target_link_libraries(xeinsum_compiled PRIVATE xeinsum::xeinsum ${xeinsum_threads})
    # Kernels without optimisation are some hundred times as slow, in Debug and without a build
    # type, too. Flags of the user's that ask for more stay.
    if(NOT CMAKE_CXX_FLAGS MATCHES "-O(3|fast)")
        target_compile_options(xeinsum_compiled PRIVATE $<$<NOT:$<CONFIG:Release>>:-O2>)
    endif()

    add_library(xeinsum::compiled INTERFACE IMPORTED GLOBAL)
    target_sources(xeinsum::compiled INTERFACE $<TARGET_OBJECTS:xeinsum_compiled>)
    target_link_libraries(xeinsum::compiled INTERFACE xeinsum::xeinsum ${xeinsum_threads})
    target_compile_definitions(xeinsum::compiled INTERFACE XEINSUM_LINKS_COMPILED)
    # target_compile_options(xeinsum_compiled PUBLIC -march=native) is for both sides, which must
    # agree: otherwise the linker says that xeinsum_compiled_was_built_with_another_march.
    target_compile_options(xeinsum::compiled
        INTERFACE $<TARGET_PROPERTY:xeinsum_compiled,INTERFACE_COMPILE_OPTIONS>)
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
