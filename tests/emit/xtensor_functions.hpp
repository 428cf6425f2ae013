// What a plan emits for xtensor: "ij,jk->ik" is dot(a, b). The test compares these texts with what
// is emitted now, and runs them.
#pragma once

#if __has_include(<xtensor/containers/xarray.hpp>)
#include <xtensor/containers/xarray.hpp>
#include <xtensor/core/xmath.hpp>
#include <xtensor/generators/xbuilder.hpp>
#include <xtensor/misc/xmanipulation.hpp>
#include <xtensor/views/xstrided_view.hpp>
#else
#include <xtensor/xarray.hpp>
#include <xtensor/xbuilder.hpp>
#include <xtensor/xmanipulation.hpp>
#include <xtensor/xmath.hpp>
#include <xtensor/xstrided_view.hpp>
#endif

#include <cstddef>
#include <vector>

namespace xt::linalg {

/// As in xtensor-blas, for two matrices.
inline xt::xarray<float> dot(const xt::xarray<float>& a, const xt::xarray<float>& b) {
    xt::xarray<float> c = xt::zeros<float>(std::vector<std::size_t>{a.shape(0), b.shape(1)});
    for (std::size_t i = 0; i < a.shape(0); ++i) {
        for (std::size_t j = 0; j < a.shape(1); ++j) {
            for (std::size_t k = 0; k < b.shape(1); ++k) {
                c(i, k) += a(i, j) * b(j, k);
            }
        }
    }
    return c;
}

}  // namespace xt::linalg

// clang-format off
// ij,jk->ik for (3, 4), (4, 5)
inline xt::xarray<float> product(const xt::xarray<float>& a, const xt::xarray<float>& b) {
    const xt::xarray<float> result = xt::linalg::dot(a, b);
    return result;
}

// nctw,cd->ndtw for (8, 64, 30, 25), (64, 16)
inline xt::xarray<float> channels(const xt::xarray<float>& a, const xt::xarray<float>& b) {
    const xt::xarray<float> t0 = xt::transpose(a, {0, 2, 3, 1});
    const xt::xarray<float> t1 = xt::reshape_view(t0, std::vector<std::size_t>{a.shape(0) * a.shape(2) * 25, 64});
    const xt::xarray<float> t2 = xt::linalg::dot(t1, b);
    const xt::xarray<float> t3 = xt::reshape_view(t2, std::vector<std::size_t>{a.shape(0), a.shape(2), 25, 16});
    const xt::xarray<float> result = xt::transpose(t3, {0, 3, 1, 2});
    return result;
}

// bij,bjk->bki for (2, 3, 4), (2, 4, 5)
inline xt::xarray<float> batch(const xt::xarray<float>& a, const xt::xarray<float>& b) {
    const xt::xarray<float> t0 = xt::reshape_view(a, {2, 3, 4, 1});
    const xt::xarray<float> t1 = xt::reshape_view(b, {2, 1, 4, 5});
    const auto t2 = t0 * t1;
    const xt::xarray<float> t3 = xt::sum<float>(t2, {2});
    const xt::xarray<float> result = xt::transpose(t3, {0, 2, 1});
    return result;
}

// bii->b for (4, 3, 3)
inline xt::xarray<float> traces(const xt::xarray<float>& a) {
    const xt::xarray<float> t0 = xt::reshape_view(a, {4, 9});
    const xt::xarray<float> t1 = xt::strided_view(t0, {xt::ellipsis(), xt::range(0, 9, 4)});
    const xt::xarray<float> result = xt::sum<float>(t1, {1});
    return result;
}

// ij,ij-> for (4, 3), (4, 3)
inline xt::xarray<float> inner(const xt::xarray<float>& a, const xt::xarray<float>& b) {
    const xt::xarray<float> t0 = xt::reshape_view(a, {1, 12});
    const xt::xarray<float> t1 = xt::reshape_view(b, {12, 1});
    const xt::xarray<float> t2 = xt::linalg::dot(t0, t1);
    const xt::xarray<float> result = xt::reshape_view(t2, std::vector<std::size_t>{});
    return result;
}

// bld,bln,bld->bldn for (1, 4, 3), (1, 4, 2), (1, 4, 3)
inline xt::xarray<float> scan(const xt::xarray<float>& a, const xt::xarray<float>& b, const xt::xarray<float>& c) {
    const xt::xarray<float> t0 = a * c;
    const xt::xarray<float> t1 = xt::reshape_view(b, {1, 4, 1, 2});
    const xt::xarray<float> t2 = xt::reshape_view(t0, {1, 4, 3, 1});
    const xt::xarray<float> result = t1 * t2;
    return result;
}

// ij,jk->ik for (2, 0), (0, 3)
inline xt::xarray<float> nothing([[maybe_unused]] const xt::xarray<float>& a, [[maybe_unused]] const xt::xarray<float>& b) {
    const xt::xarray<float> result = xt::zeros<float>(std::vector<std::size_t>{2, 3});
    return result;
}

// clang-format on
