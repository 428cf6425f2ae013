// "b (h d), d -> b h": there is no axis e to have a length.
#include <xeinsum/grouped_einsum.hpp>

auto wrong(const xt::xtensor<float, 2>& x, const xt::xtensor<float, 1>& y) {
    return xeinsum::einsum<"b (h d), d -> b h">(x, y, xeinsum::axis<"e">(2));
}
