// The control: what the other files do, done right, compiles.
#include <xeinsum/einsum.hpp>

constexpr auto equation = xeinsum::parse("ij,jk->ik");

auto right(const xt::xtensor_fixed<float, xt::xshape<2, 3>>& a,
           const xt::xtensor_fixed<float, xt::xshape<3, 5>>& b, const xt::xarray<float>& c) {
    return xeinsum::einsum<"ij,jk,k...->i...">(a, b, c);
}
