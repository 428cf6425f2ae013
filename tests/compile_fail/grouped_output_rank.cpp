// "b (h d) -> b h d" into an output of rank 2.
#include <xeinsum/grouped_einsum.hpp>

void wrong(xt::xtensor<float, 2>& out, const xt::xtensor<float, 2>& x) {
    xeinsum::einsum_to<"b (h d) -> b h d">(out, x, xeinsum::axis<"h">(2));
}
