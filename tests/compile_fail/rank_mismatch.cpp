// "ij,jk->ik": the second operand has rank 3.
#include <xeinsum/einsum.hpp>

auto wrong(const xt::xarray<float>& a, const xt::xtensor<float, 3>& b) {
    return xeinsum::einsum<"ij,jk->ik">(a, b);
}
