// "ij,jk->ik" into a vector.
#include <xeinsum/einsum.hpp>

#include <vector>

void wrong(std::vector<float>& out, const xt::xtensor<float, 2>& a) {
    xeinsum::einsum_to<"ij,jk->ik">(out, a, a);
}
