// What holds for calls on elements of any type, such as "ij,jk->ik": for tests of elements that the
// library has, and of those that it lacks.
#pragma once

#include "arrays.hpp"

#include <xeinsum/einsum.hpp>
#include <xeinsum/plan.hpp>
#include <xeinsum/reference/einsum.hpp>

#include <doctest/doctest.h>

#include <type_traits>

namespace support {

/// Products and copies, known to the compiler and at run time, give what the reference gives.
template <class T>
void check_calls() {
    const xt::xarray<T> a = numbers<T>({3, 4}), b = numbers<T>({4, 5}, 9);
    CHECK(xeinsum::einsum<"ij,jk->ik">(a, b) == xeinsum::reference::einsum("ij,jk->ik", a, b));
    CHECK(xeinsum::einsum("ij,kl->jl", a, b) == xeinsum::reference::einsum("ij,kl->jl", a, b));
    CHECK(xeinsum::einsum("ij->ji", a) == xeinsum::reference::einsum("ij->ji", a));
}

/// Whatever operands are bound, packed and folded, a plan gives the same.
template <class T>
void check_bound_plans() {
    const auto a = numbers<T>({2, 40, 30}), b = numbers<T>({30, 50}, 4),
               c = numbers<T>({50, 45}, 9);
    // b alone; c alone; b and c, whose product comes first
    const auto expected = xeinsum::reference::einsum("bij,jk,kl->bil", a, b, c);
    const auto plan = xeinsum::make_plan<T>("bij,jk,kl->bil", {{2, 40, 30}, {30, 50}, {50, 45}});
    xt::xarray<T> out = xt::zeros<T>({2, 40, 45});
    const auto check = [&](const auto& bound, const auto&... operands) {
        auto memory = bound.make_workspace();
        bound.run(out, memory, operands...);
        CHECK(out == expected);
        if constexpr (!std::is_same_v<T, bool>) {
            bound.run(out, xeinsum::scale{T(1), T(1)}, memory, operands...);
            const xt::xarray<T> twice = expected + expected;
            CHECK(out == twice);
        }
    };
    check(plan.bind(1, b), a, c);
    check(plan.bind(2, c), a, b);
    check(plan.bind(2, c).bind(1, b), a);
    check(plan.bind(0, a), b, c);
}

}  // namespace support
