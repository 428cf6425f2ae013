// What einsum<"ij,jk->ik">(a, b) in float runs, for programs that include <xeinsum/compiled.hpp>.
#include <xeinsum/xeinsum.hpp>

#include <xeinsum/compiled.hpp>

#include <string>
#include <string_view>

XEINSUM_INSTANTIATE_REAL_KERNELS(, float);
XEINSUM_INSTANTIATE_REALS(, float);

// Of no element type: the text of errors.
template std::string xeinsum::parsing::message(const xeinsum::problem&, std::string_view,
                                               std::string_view);

template <class Arch, class Backend>
void xeinsum::
    xeinsum_compiled_was_built_with_another_march_or_other_threads_than_this_file() noexcept {}
template void
xeinsum::xeinsum_compiled_was_built_with_another_march_or_other_threads_than_this_file<
    xeinsum::kernel::native_arch, xeinsum::lowerings::backend>() noexcept;
