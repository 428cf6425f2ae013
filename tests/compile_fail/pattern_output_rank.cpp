// "a b -> b a" into an output of rank 1.
#include <xeinsum/rearrange.hpp>

void wrong(xt::xtensor<float, 1>& out, const xt::xtensor<float, 2>& x) {
    xeinsum::rearrange_to<"a b -> b a">(out, x);
}
