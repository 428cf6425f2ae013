// One call, compiled for two architectures under two names; see compare.cmake and program.cpp.
#include <xeinsum/einsum.hpp>

xt::xtensor<float, 2> XEINSUM_MARCH_CALL(const xt::xtensor<float, 2>& a,
                                         const xt::xtensor<float, 2>& b) {
    // With options a call holds what runs several steps, too.
    return a.shape(0) % 2 == 0 ? xeinsum::einsum<"ij,jk->ik">(a, b)
                               : xeinsum::einsum<"ij,jk->ik">(xeinsum::options{}, a, b);
}
