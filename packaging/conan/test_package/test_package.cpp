// A package that works gives "ij,jk->ik" of two small matrices.
#ifdef TEST_COMPILED
#include <xeinsum/compiled.hpp>
#else
#include <xeinsum/xeinsum.hpp>
#endif

int main() {
    const xt::xtensor<float, 2> a{{1, 2, 3}, {4, 5, 6}};
    const xt::xtensor<float, 2> b{{1, 10}, {2, 20}, {3, 40}};
    const xt::xtensor<float, 2> expected{{14, 170}, {32, 380}};
    return xeinsum::einsum<"ij,jk->ik">(a, b) == expected ? 0 : 1;
}
