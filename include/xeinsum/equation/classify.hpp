// The classes of index that a pair of terms has: "bij,bjk->bik" has batch b, lhs-free i,
// rhs-free k and contracted j.
#pragma once

#include <array>
#include <string_view>

namespace xeinsum {

/// The part a label plays when two terms are contracted into a third.
enum class index_class : unsigned char {
    batch,       ///< in lhs, rhs and the result
    lhs_free,    ///< in lhs and the result
    rhs_free,    ///< in rhs and the result
    contracted,  ///< in lhs and rhs, summed
    lhs_only,    ///< in lhs alone, summed
    rhs_only,    ///< in rhs alone, summed
};

/// All classes, in the order in which plans print them.
inline constexpr std::array<index_class, 6> index_classes{
    index_class::batch,      index_class::lhs_free, index_class::rhs_free,
    index_class::contracted, index_class::lhs_only, index_class::rhs_only};

/// The class in words, such as "lhs-free".
[[nodiscard]] constexpr std::string_view name(index_class c) noexcept {
    switch (c) {
        case index_class::batch: return "batch";
        case index_class::lhs_free: return "lhs-free";
        case index_class::rhs_free: return "rhs-free";
        case index_class::contracted: return "contracted";
        case index_class::lhs_only: return "lhs-only";
        case index_class::rhs_only: return "rhs-only";
    }
    return "?";
}

/// The class of a label that occurs in lhs or rhs; survives says whether anything outside the pair,
/// the output or a third term, still needs it.
[[nodiscard]] constexpr index_class classify(bool in_lhs, bool in_rhs, bool survives) noexcept {
    if (in_lhs && in_rhs) {
        return survives ? index_class::batch : index_class::contracted;
    }
    if (in_lhs) {
        return survives ? index_class::lhs_free : index_class::lhs_only;
    }
    return survives ? index_class::rhs_free : index_class::rhs_only;
}

}  // namespace xeinsum
