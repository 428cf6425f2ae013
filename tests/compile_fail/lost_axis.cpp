// "a b -> a": a rearrange keeps every axis.
#include <xeinsum/rearrange.hpp>

auto wrong(const xt::xtensor<float, 2>& x) {
    return xeinsum::rearrange<"a b -> a">(x);
}
