# How many instances of each family of kernels the call "ij,jk->ik" in float compiles, with registers
# of 64 bytes. OBJECTS is its object file, NM lists its symbols. A template argument more, or a kernel
# for labels that the equation has not, is seen here before a user waits for it.

# Mangled: a class and its member, each preceded by its length.
set(families
    "small tiles|10small_tileI[^\n]*3runERK|14"
    "blocked tiles|12tile_kernelsI[^\n]*7computeI|8"
    "tiles of few rows|13wide_gemm_runI[^\n]*7computeI|6"
    "dot tiles|12dot_gemm_runI[^\n]*7computeI|2"
    "rank-k updates|18rank_k_updates_runI[^\n]*7computeI|7"
    "interleaved batches|22interleaved_batch_tileI|0"
    "rows times a vector|17matrix_vector_runI[^\n]*8add_rowsI|3"
    "rows that share a vector|11shared_lineI[^\n]*10add_groupsI|4"
    "sums of terms|9term_sumsI|0"
    "products in nests|15output_productsI|0"
    "sums along lines|9line_sumsI|0")

execute_process(COMMAND ${NM} ${OBJECTS} OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL " [TtWw] _ZN?K?[^\n]*" defined "${symbols}")
foreach(family IN LISTS families)
    string(REPLACE "|" ";" family "${family}")
    list(GET family 0 name)
    list(GET family 1 pattern)
    list(GET family 2 expected)
    set(instances ${defined})
    list(FILTER instances INCLUDE REGEX "^ [TtWw] _ZNK?7xeinsum6kernel${pattern}")
    list(LENGTH instances found)
    message(STATUS "${name}: ${found}")
    if(NOT found EQUAL expected)
        message(SEND_ERROR "${name}: ${found} instances, not ${expected}")
    endif()
endforeach()
