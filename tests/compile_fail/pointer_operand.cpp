// "ij,jk->ik" known at run time, with a pointer.
#include <xeinsum/einsum.hpp>

auto wrong(const float* a, const xt::xtensor<float, 2>& b) {
    return xeinsum::einsum("ij,jk->ik", a, b);
}
