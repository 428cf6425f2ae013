// The control: what the other files do, done right, compiles.
#include <xeinsum/einsum.hpp>
#include <xeinsum/grouped_einsum.hpp>
#include <xeinsum/plan.hpp>
#include <xeinsum/rearrange.hpp>

#include <cstddef>
#include <vector>

constexpr auto equation = xeinsum::parse("ij,jk->ik");

auto right(const xt::xtensor_fixed<float, xt::xshape<2, 3>>& a,
           const xt::xtensor_fixed<float, xt::xshape<3, 5>>& b, const xt::xarray<float>& c) {
    return xeinsum::einsum<"ij,jk,k...->i...">(a, b, c);
}

auto right_patterns(const xt::xarray<float>& x) {
    const auto y = xeinsum::rearrange<"... (b c) -> ... b c">(x, xeinsum::axis<"b">(2));
    return xeinsum::reduce<"a b c -> a b", xeinsum::reduction::mean>(y);
}

void right_outputs(xt::xtensor_fixed<float, xt::xshape<2, 5>>& out, const xt::xtensor<float, 2>& a,
                   const xt::xtensor_fixed<float, xt::xshape<1, 5>>& b,
                   xt::xtensor<float, 3>& heads, const xt::xtensor<float, 2>& x) {
    xeinsum::einsum_to<"ij,jk->ik">(out, a, b);
    xeinsum::einsum_to<"b (h d) -> b h d">(heads, x, xeinsum::axis<"h">(2));
}

// What has no shape is given one.
auto right_operands(const std::vector<float>& a, const float* b) {
    const std::vector<std::size_t> shape{2, 2};
    return xeinsum::einsum<"ij,jk->ik">(xt::adapt(a, shape),
                                        xt::adapt(b, 4, xt::no_ownership(), shape));
}

/// A narrow float whose sums are floats.
struct narrow {
    narrow() = default;
    narrow(float x) : bits(static_cast<unsigned short>(x)) {}
    operator float() const { return bits; }

    unsigned short bits = 0;
};
template <>
struct xeinsum::accumulator<narrow> {
    using type = float;
};

auto right_elements(const xt::xtensor<narrow, 2>& a) {
    return xeinsum::einsum<"ij,jk->ik">(a, a);
}
