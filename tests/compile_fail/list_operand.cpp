// "ij,jk->ik" known to the compiler, with operands whose number is not.
#include <xeinsum/einsum.hpp>

#include <vector>

auto wrong(const std::vector<xt::xarray<float>>& operands) {
    return xeinsum::einsum<"ij,jk->ik">(operands);
}
