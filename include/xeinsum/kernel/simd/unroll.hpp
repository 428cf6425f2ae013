// Loops whose index is a template argument: the shuffles of "mk,kn->mn" with two rows in a register
// are chosen by constants. Where an index need not be one, "#pragma GCC unroll" costs the compiler
// half as much.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

namespace xeinsum::kernel {

/// Calls f(index) for index = 0 ... N - 1, each a std::integral_constant.
template <std::size_t N, class F>
[[gnu::always_inline]] constexpr void unroll(F&& f) {
    [&]<std::size_t... I>(std::index_sequence<I...>) __attribute__((always_inline)) {
        (f(std::integral_constant<std::size_t, I>()), ...);
    }
    (std::make_index_sequence<N>());
}

}  // namespace xeinsum::kernel
