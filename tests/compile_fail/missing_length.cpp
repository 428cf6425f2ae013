// "a (b c) -> a b c": neither b nor c has a length.
#include <xeinsum/rearrange.hpp>

auto wrong(const xt::xarray<float>& x) {
    return xeinsum::rearrange<"a (b c) -> a b c">(x);
}
