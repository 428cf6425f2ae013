// "i%->i": no equation holds a percent sign.
#include <xeinsum/einsum.hpp>

auto wrong(const xt::xarray<float>& a) {
    return xeinsum::einsum<"i%->i">(a);
}
