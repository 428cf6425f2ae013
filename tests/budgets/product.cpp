// One call of a user's program, for which test budgets/families counts the kernels that it
// compiles.
#include <xeinsum/einsum.hpp>

void product(xt::xtensor<float, 2>& out, const xt::xtensor<float, 2>& a,
             const xt::xtensor<float, 2>& b) {
    xeinsum::einsum_to<"ij,jk->ik">(out, a, b);
}
