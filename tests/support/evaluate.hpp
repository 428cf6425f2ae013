// Run-time calls behind ordinary functions, compiled once for each element type and used by all
// tests: evaluate({.equation = "ij,jk->ik", .operands = {a, b}}).
#pragma once

#include "strided_array.hpp"

#include <xeinsum/equation/argument.hpp>
#include <xeinsum/plan/options.hpp>

#include <string>
#include <vector>

namespace support {

template <class T>
struct call {
    xeinsum::equation equation{};
    std::vector<strided_array<T>> operands{};
    xeinsum::options options{};
};

/// xeinsum::einsum
template <class T>
[[nodiscard]] xt::xarray<T> evaluate(const call<T>& c);

/// xeinsum::einsum_to
template <class T>
void evaluate_to(const strided_array<T>& out, const T& alpha, const T& beta, const call<T>& c);

/// xeinsum::plan::run of a plan for row-major operands
template <class T>
void run_plan(const strided_array<T>& out, const T& alpha, const T& beta, const call<T>& c);

/// What a plan for the operands as they lie prints.
template <class T>
[[nodiscard]] std::string plan_text(const call<T>& c);

/// xeinsum::reference::einsum and xeinsum::reference::bound
template <class T>
[[nodiscard]] xt::xarray<T> expect(const call<T>& c);
template <class T>
[[nodiscard]] xt::xarray<double> expect_bound(const call<T>& c);

/// The largest deviation from the reference in units of the bound.
template <class T>
[[nodiscard]] double worst_ratio(const xt::xarray<T>& found, const call<T>& c);

}  // namespace support
