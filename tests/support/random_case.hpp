// Random calls for comparison with the reference: equations such as "...aab,bc->c..." with
// diagonals, ellipses, broadcasts, empty extents and operands that lie anyhow; and smaller calls to
// try when one fails.
#pragma once

#include "strided_array.hpp"

#include <xeinsum/equation/parser.hpp>
#include <xeinsum/plan/options.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace support {

/// Stands for "..." among the labels of a random term.
inline constexpr int dots = -1;

/// How one array lies; see strided_array::lying.
struct placement {
    shape order{};
    std::vector<std::int64_t> steps{};
};

struct random_term {
    std::vector<int> labels{};
    shape extents{};
    placement lies{};
};

enum class call_mode { einsum, einsum_to, plan, in_place };

/// One call. Everything but the element type and the elements, which follow from the seed.
struct random_case {
    std::uint64_t seed = 0;
    std::vector<random_term> terms{};
    std::optional<std::vector<int>> output{};
    xeinsum::notation spelled = xeinsum::notation::letters;
    call_mode mode = call_mode::einsum;
    xeinsum::options options{};
    double alpha = 1;
    double beta = 0;
    bool special_values = false;  ///< some elements are NaN
    bool infinities = false;      ///< and some are infinite

    [[nodiscard]] xeinsum::equation equation() const;
    /// The call in one line, for messages.
    [[nodiscard]] std::string text() const;
};

/// The case that belongs to a seed.
[[nodiscard]] random_case make_case(std::uint64_t seed);

/// Calls that are simpler than a given one in a single respect.
[[nodiscard]] std::vector<random_case> simpler_cases(const random_case& c);

/// Row-major, without gaps.
[[nodiscard]] placement contiguous(std::size_t rank);
/// Any order, gaps, reversed axes; stands_still allows axes that repeat one element.
[[nodiscard]] placement random_placement(std::size_t rank, std::uint64_t seed, bool stands_still);

}  // namespace support
