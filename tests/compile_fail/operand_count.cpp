// "ij,jk->ik" on three operands.
#include <xeinsum/einsum.hpp>

auto wrong(const xt::xarray<float>& a) {
    return xeinsum::einsum<"ij,jk->ik">(a, a, a);
}
