// "i,i->i": an array of integers cannot hold a floating result.
#include <xeinsum/einsum.hpp>

void wrong(xt::xtensor<int, 1>& out, const xt::xtensor<float, 1>& a) {
    xeinsum::einsum_to<"i,i->i">(out, a, a);
}
