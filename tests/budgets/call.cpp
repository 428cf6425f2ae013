// A file of a program that links xeinsum::compiled: its calls, such as "ij,jk->ik", must not bring
// kernels or a planner of their own. Compiled with -O2; never run.
#include <xeinsum/compiled.hpp>

using matrix = xt::xtensor<float, 2>;
using line = xt::xtensor<float, 1>;

matrix product(const matrix& a, const matrix& b) {
    return xeinsum::einsum<"ij,jk->ik">(a, b);
}

void product_to(matrix& out, const matrix& a, const matrix& b) {
    xeinsum::einsum_to<"ij,jk->ik">(out, a, b);
}

float dot(const line& a, const line& b) {
    return xeinsum::einsum<"i,i->">(a, b)();
}

line sums(const matrix& a) {
    return xeinsum::einsum<"ij->i">(a);
}

xt::xarray<float> chain(const xt::xarray<float>& a, const xt::xarray<float>& b,
                        const xt::xarray<float>& c) {
    return xeinsum::einsum("ij,jk,kl->il", a, b, c);
}
