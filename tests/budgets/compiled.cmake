# Object files that leave kernels and planner for float to another file define neither: OBJECTS whose
# names match ONLY are looked at by NM, and must refer to each of CALLED.

set(left_out gemm small_gemm small_gemm_run interleaved_batch_gemm micro_tile macro_kernel paired_rows
    multiply_reduce output_vectors contracted_vectors scalar_nest sum_lines dot permute
    depthwise_convolution run_recipe executor run_precomputed_rows deliver one_step)
list(JOIN left_out "|" left_out)

list(FILTER OBJECTS INCLUDE REGEX "${ONLY}")
list(LENGTH OBJECTS count)
if(NOT count EQUAL 1)
    message(FATAL_ERROR "Not one object file: ${OBJECTS}")
endif()
execute_process(COMMAND ${NM} ${OBJECTS} OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)

# Mangled, where a name is preceded by its length: xeinsum::kernel::dot<float, ...> and its members.
set(begin "_ZZ?NK?7xeinsum(6kernel|9lowerings|6detail|8planning)[0-9]+")
string(REGEX MATCHALL " [TtWwVvu] ${begin}(${left_out})I[^\n]*" defined "${symbols}")
if(defined)
    list(JOIN defined "\n" defined)
    message(FATAL_ERROR "Compiled once more:\n${defined}")
endif()
foreach(name IN LISTS CALLED)
    if(NOT symbols MATCHES " U ${begin}${name}I")
        message(FATAL_ERROR "Not called: ${name}")
    endif()
endforeach()
