// "b (h d) -> b h d": nothing tells how the second axis is divided.
#include <xeinsum/einsum.hpp>

auto wrong(const xt::xtensor<float, 2>& x) {
    return xeinsum::einsum<"b (h d) -> b h d">(x);
}
