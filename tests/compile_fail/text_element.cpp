// "ij->ji" of texts, at run time.
#include <xeinsum/einsum.hpp>

#include <string>

auto wrong(const xt::xarray<std::string>& a) {
    return xeinsum::einsum("ij->ji", a);
}
