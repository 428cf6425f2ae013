// The functions of evaluate.hpp, instantiated by one file for each group of element types; for
// "ij,jk->ik" in float that is evaluate_real.cpp.
#pragma once

#include "evaluate.hpp"

#include <xeinsum/xeinsum.hpp>

#include <sstream>

namespace support {

template <class T>
[[nodiscard]] std::vector<typename strided_array<T>::view_type> views_of(const call<T>& c) {
    std::vector<typename strided_array<T>::view_type> views;
    for (const auto& o : c.operands) {
        views.push_back(o.view());
    }
    return views;
}

template <class T>
xt::xarray<T> evaluate(const call<T>& c) {
    return xeinsum::einsum(c.equation, views_of(c), c.options);
}

template <class T>
void evaluate_to(const strided_array<T>& out, const T& alpha, const T& beta, const call<T>& c) {
    xeinsum::einsum_to(c.equation, out.view(), xeinsum::scale{alpha, beta}, views_of(c), c.options);
}

template <class T>
void run_plan(const strided_array<T>& out, const T& alpha, const T& beta, const call<T>& c) {
    std::vector<std::vector<std::size_t>> shapes;
    for (const auto& o : c.operands) {
        shapes.emplace_back(o.extents().begin(), o.extents().end());
    }
    const auto plan = xeinsum::make_plan<T>(c.equation, shapes, c.options);
    xeinsum::workspace memory(plan.overlap_workspace_bytes());
    plan.run(out.view(), xeinsum::scale{alpha, beta}, memory, views_of(c));
}

template <class T>
std::string plan_text(const call<T>& c) {
    std::vector<xeinsum::layout> layouts;
    for (const auto& view : views_of(c)) {
        layouts.push_back(xeinsum::layout_of(view));
    }
    std::ostringstream text;
    text << xeinsum::make_plan_for<T>(c.equation, layouts, c.options);
    return text.str();
}

template <class T>
xt::xarray<T> expect(const call<T>& c) {
    return xeinsum::reference::einsum(c.equation, views_of(c));
}

template <class T>
xt::xarray<double> expect_bound(const call<T>& c) {
    return xeinsum::reference::bound(c.equation, views_of(c));
}

template <class T>
double worst_ratio(const xt::xarray<T>& found, const call<T>& c) {
    return xeinsum::reference::worst_ratio(found, expect(c), expect_bound(c));
}

}  // namespace support

/// Instantiates everything above for one element type.
#define SUPPORT_INSTANTIATE(T)                                                               \
    template xt::xarray<T> support::evaluate(const support::call<T>&);                       \
    template void support::evaluate_to(const support::strided_array<T>&, const T&, const T&, \
                                       const support::call<T>&);                             \
    template void support::run_plan(const support::strided_array<T>&, const T&, const T&,    \
                                    const support::call<T>&);                                \
    template std::string support::plan_text(const support::call<T>&);                        \
    template xt::xarray<T> support::expect(const support::call<T>&);                         \
    template xt::xarray<double> support::expect_bound(const support::call<T>&);              \
    template double support::worst_ratio(const xt::xarray<T>&, const support::call<T>&)
