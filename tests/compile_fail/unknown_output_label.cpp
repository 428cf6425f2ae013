// "ij,jk->il": l is in no input term.
#include <xeinsum/einsum.hpp>

auto wrong(const xt::xtensor<float, 2>& a, const xt::xtensor<float, 2>& b) {
    return xeinsum::einsum<"ij,jk->il">(a, b);
}
