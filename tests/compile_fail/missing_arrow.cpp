// "b l d_in, d_in n": with names the output must be given.
#include <xeinsum/einsum.hpp>

auto wrong(const xt::xarray<float>& a, const xt::xarray<float>& b) {
    return xeinsum::einsum<"b l d_in, d_in n">(a, b);
}
