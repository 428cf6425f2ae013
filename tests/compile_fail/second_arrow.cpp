// "ij->jk->ik": not k is wrong, the second arrow is.
#include <xeinsum/einsum.hpp>

auto wrong(const xt::xtensor<float, 2>& a) {
    return xeinsum::einsum<"ij->jk->ik">(a);
}
