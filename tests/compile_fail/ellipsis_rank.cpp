// "ij...,j->i...": the first operand has fewer axes than labels.
#include <xeinsum/einsum.hpp>

auto wrong(const xt::xtensor<float, 1>& a, const xt::xtensor<float, 1>& b) {
    return xeinsum::einsum<"ij...,j->i...">(a, b);
}
