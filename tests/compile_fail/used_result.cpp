// "ij,jk->il" is all that is wrong: what is done with the result is not.
#include <xeinsum/einsum.hpp>

float wrong(const xt::xtensor<float, 2>& a, const xt::xtensor<float, 2>& b) {
    const auto y = xeinsum::einsum<"ij,jk->il">(a, b);
    const xt::xtensor<float, 2> z = xeinsum::einsum<"ij,jk->ik">(y, b);
    return z(0, 1);
}
