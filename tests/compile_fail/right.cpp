// The control: what the other files do, done right, compiles.
#include <xeinsum/einsum.hpp>
#include <xeinsum/rearrange.hpp>

constexpr auto equation = xeinsum::parse("ij,jk->ik");

auto right(const xt::xtensor_fixed<float, xt::xshape<2, 3>>& a,
           const xt::xtensor_fixed<float, xt::xshape<3, 5>>& b, const xt::xarray<float>& c) {
    return xeinsum::einsum<"ij,jk,k...->i...">(a, b, c);
}

auto right_patterns(const xt::xarray<float>& x) {
    const auto y = xeinsum::rearrange<"... (b c) -> ... b c">(x, xeinsum::axis<"b">(2));
    return xeinsum::reduce<"a b c -> a b", xeinsum::reduction::mean>(y);
}
