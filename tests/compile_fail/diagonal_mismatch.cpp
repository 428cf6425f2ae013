// "ii->i" on 2 x 3, in place.
#include <xeinsum/einsum.hpp>

void wrong(xt::xtensor<float, 1>& out, const xt::xtensor_fixed<float, xt::xshape<2, 3>>& a) {
    xeinsum::einsum_to<"ii->i">(out, a);
}
