// What einsum<"ij,jk->ik">(a, b) in float runs, for programs that include <xeinsum/compiled.hpp>.
#include <xeinsum/compiled.hpp>

XEINSUM_INSTANTIATE_REAL_KERNELS(, float);
XEINSUM_INSTANTIATE(, float);

template <class Arch, class Backend>
void xeinsum::
    xeinsum_compiled_was_built_with_another_march_or_other_threads_than_this_file() noexcept {}
template void
xeinsum::xeinsum_compiled_was_built_with_another_march_or_other_threads_than_this_file<
    xeinsum::kernel::native_arch, xeinsum::lowerings::backend>() noexcept;
