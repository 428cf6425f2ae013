// "ij,jk->ik" into 2 x 6: k is 5, whatever i is.
#include <xeinsum/einsum.hpp>

void wrong(xt::xtensor_fixed<float, xt::xshape<2, 6>>& out, const xt::xtensor<float, 2>& a,
           const xt::xtensor_fixed<float, xt::xshape<3, 5>>& b) {
    xeinsum::einsum_to<"ij,jk->ik">(out, a, b);
}
