// "ij,jk->ik" into an output of rank 3.
#include <xeinsum/einsum.hpp>

void wrong(xt::xtensor<float, 3>& out, const xt::xarray<float>& a, const xt::xarray<float>& b) {
    xeinsum::einsum_to<"ij,jk->ik">(out, a, b);
}
