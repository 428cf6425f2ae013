# Compares the weak functions of one file compiled for two architectures, of which a linker keeps one
# each: those that are named after an architecture must differ. cmake -DNM=... -DBASELINE=a.o
# -DWIDE=b.o -P compare.cmake

function(weak_functions object result)
    execute_process(COMMAND ${NM} --defined-only -C ${object}
        OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
    # Brackets and semicolons mean something in CMake's lists.
    string(REGEX REPLACE "[][;]" "_" symbols "${symbols}")
    string(REGEX MATCHALL "[^\n]* W [^\n]*xeinsum::[^\n]*" lines "${symbols}")
    list(TRANSFORM lines REPLACE "^.* W " "")
    list(REMOVE_DUPLICATES lines)
    set(${result} "${lines}" PARENT_SCOPE)
endfunction()

weak_functions(${BASELINE} baseline)
weak_functions(${WIDE} wide)
set(shared ${baseline})
set(own ${baseline})
list(REMOVE_ITEM own ${wide})
list(REMOVE_ITEM shared ${own})
list(LENGTH shared count)
message(STATUS "${count} functions are shared, none of them may be named after an architecture")

# What the vector code of a call is in. Each must be there, or this test looks for the wrong names.
set(families "contraction<float, " "run_recipe<float, " "executor<float, " "simd<float, ")
foreach(family IN LISTS families)
    foreach(functions baseline wide)
        set(found ${${functions}})
        list(FILTER found INCLUDE REGEX "${family}.*xeinsum::kernel::(sse2|avx|tuned)")
        if(NOT found)
            message(SEND_ERROR "no function of ${family} in the ${functions} object")
        endif()
    endforeach()
endforeach()
list(FILTER shared INCLUDE REGEX "xeinsum::kernel::(sse2|avx|tuned)")
if(shared)
    list(JOIN shared "\n  " shared)
    message(SEND_ERROR "defined for both architectures:\n  ${shared}")
endif()
