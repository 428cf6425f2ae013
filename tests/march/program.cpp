// A program of two files that call "ij,jk->ik", one of them compiled for wider registers: it links,
// and both calls give the same product, whichever of shared functions the linker kept.
#include <xeinsum/array/xtensor.hpp>

#include <cstddef>
#include <cstdio>

xt::xtensor<float, 2> product_of_baseline(const xt::xtensor<float, 2>& a,
                                          const xt::xtensor<float, 2>& b);
xt::xtensor<float, 2> product_of_wide(const xt::xtensor<float, 2>& a,
                                      const xt::xtensor<float, 2>& b);

namespace {

using call = xt::xtensor<float, 2> (*)(const xt::xtensor<float, 2>&, const xt::xtensor<float, 2>&);

/// Whether products of small integers, which floats hold exactly, are right.
bool is_right(call product, std::size_t rows, std::size_t depth, std::size_t columns) {
    xt::xtensor<float, 2> a = xt::xtensor<float, 2>::from_shape({rows, depth});
    xt::xtensor<float, 2> b = xt::xtensor<float, 2>::from_shape({depth, columns});
    for (std::size_t i = 0; i < a.size(); ++i) {
        a.data()[i] = static_cast<float>(i * 7 % 11) - 5;
    }
    for (std::size_t i = 0; i < b.size(); ++i) {
        b.data()[i] = static_cast<float>(i * 5 % 13) - 6;
    }
    const xt::xtensor<float, 2> c = product(a, b);
    for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t k = 0; k < columns; ++k) {
            float sum = 0;
            for (std::size_t j = 0; j < depth; ++j) {
                sum += a(i, j) * b(j, k);
            }
            if (c(i, k) != sum) {
                std::printf("element (%zu, %zu) is %g, not %g\n", i, k,
                            static_cast<double>(c(i, k)), static_cast<double>(sum));
                return false;
            }
        }
    }
    return true;
}

}  // namespace

int main() {
    const bool wide_runs = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    for (const std::size_t n : {3U, 20U, 70U}) {
        if (!is_right(&product_of_baseline, n, n + 1, n + 2) ||
            (wide_runs && !is_right(&product_of_wide, n, n + 1, n + 2))) {
            return 1;
        }
    }
    std::puts(wide_runs ? "both products are right" : "no AVX2 here: one product is right");
    return 0;
}
