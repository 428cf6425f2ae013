// "ij->->ji": one arrow too many.
#include <xeinsum/einsum.hpp>

auto wrong(const xt::xarray<float>& a) {
    return xeinsum::einsum<"ij->->ji">(a);
}
