// "ij,jk->ik": both extents of j are known to the compiler, and differ.
#include <xeinsum/einsum.hpp>

auto wrong(const xt::xtensor_fixed<float, xt::xshape<2, 3>>& a,
           const xt::xtensor_fixed<float, xt::xshape<4, 5>>& b) {
    return xeinsum::einsum<"ij,jk->ik">(a, b);
}
