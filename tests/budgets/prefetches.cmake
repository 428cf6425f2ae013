# Whether kernels prefetch: g++ takes a function that does nothing else for one without effect, and
# drops calls of it, which no result shows. OBJECTS is the object file of kernels in float with
# registers of 64 bytes, OBJDUMP lists its instructions.

# Mangled: a class and its member, each preceded by its length, of which some instance prefetches.
set(families
    9term_sumsI[^>]*8sum_rowsILl4ELb0E
    12packed_linesI[^>]*10put_groupsI
    11short_linesI[^>]*3addE
    13wide_gemm_runI[^>]*7computeI
    12tile_kernelsI[^>]*compute
    12dot_gemm_runI[^>]*7computeI
    18rank_k_updates_runI[^>]*7computeI
    22interleaved_batch_tileI
    14small_gemm_runI
    6packerI
    18transposed_squaresI)

execute_process(COMMAND ${OBJDUMP} -d --no-show-raw-insn ${OBJECTS}
    OUTPUT_FILE prefetches.txt COMMAND_ERROR_IS_FATAL ANY)
file(STRINGS prefetches.txt lines REGEX "^[0-9a-f]+ <|\tprefetch")
file(REMOVE prefetches.txt)
set(prefetching)
foreach(line IN LISTS lines)
    if(line MATCHES "^[0-9a-f]+ <(.*)>:")
        set(function ${CMAKE_MATCH_1})
    else()
        list(APPEND prefetching "<${function}>")
    endif()
endforeach()
list(REMOVE_DUPLICATES prefetching)
foreach(family IN LISTS families)
    if(NOT "${prefetching}" MATCHES "<_ZN?K?[^>]*${family}")
        message(SEND_ERROR "No instance prefetches: ${family}")
    endif()
endforeach()
