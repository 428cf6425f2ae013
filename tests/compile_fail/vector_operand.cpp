// "ij,jk->ik" with a vector, which has no shape, as its second operand.
#include <xeinsum/einsum.hpp>

#include <vector>

auto wrong(const xt::xtensor<float, 2>& a, const std::vector<float>& b) {
    return xeinsum::einsum<"ij,jk->ik">(a, b);
}
