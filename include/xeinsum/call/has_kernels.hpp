// Whether this file may run "ij,jk->ik" on elements of a type: it compiles the kernels, or another
// one does.
#pragma once

namespace xeinsum::detail {

/// An element type as the argument of functions that are found by it.
template <class T>
struct element_tag {};

#if defined(XEINSUM_COMPILED)
static constexpr bool sees_kernels = false;
#else
static constexpr bool sees_kernels = true;
#endif

/// Whether this file compiles what runs on elements of T, or the library that it calls has it.
template <class T>
concept has_kernels = sees_kernels || requires {
    compiled_elsewhere(element_tag<T>());
};

/// Does not compile where it runs on no elements of T.
template <class T>
constexpr void require_kernels() noexcept {
    static_assert(has_kernels<T>,
                  "xeinsum: xeinsum::compiled has no kernels for these elements: files that call "
                  "them include <xeinsum/xeinsum.hpp>, not <xeinsum/compiled.hpp>");
}

}  // namespace xeinsum::detail
