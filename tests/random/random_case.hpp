// One random call: an equation such as "...aab,bc->c..." with diagonals, ellipses, broadcasts,
// empty extents and operands that lie anyhow, what is asked of the planner, and how the call is
// made.
#pragma once

#include "lying.hpp"

#include <xeinsum/equation/equation.hpp>
#include <xeinsum/plan/options.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace random_calls {

/// Stands for "..." among the labels of a term.
inline constexpr int dots = -1;

inline constexpr std::size_t most_operands = 5;

struct random_term {
    std::vector<int> labels{};
    shape extents{};
    strides lies{};
};

enum class call_way { einsum, einsum_to, plan };
/// The layouts for which a plan is made, whatever it is run on.
enum class planned_for { arrays, row_major, others };

/// One call. Everything but the element type and the elements, which follow from the seed.
struct random_case {
    std::uint64_t seed = 0;
    std::vector<random_term> terms{};
    std::optional<std::vector<int>> output{};
    xeinsum::notation spelled = xeinsum::notation::letters;

    call_way way = call_way::einsum;
    bool listed = false;  ///< operands are given as a list
    planned_for planned = planned_for::arrays;
    std::array<bool, most_operands> bound{};  ///< operands of the plan that are bound
    /// The operand in whose memory the output begins, somewhere.
    std::optional<std::size_t> overlapped{};
    double alpha = 1;
    double beta = 0;
    bool special_values = false;  ///< some elements are NaN
    bool infinities = false;      ///< and some are infinite

    xeinsum::lowering lowering = xeinsum::lowering::automatic;
    xeinsum::path_strategy path = xeinsum::path_strategy::automatic;
    std::vector<std::pair<std::size_t, std::size_t>> pairs{};  ///< of a path that is given
    std::size_t memory_limit = 0;                              ///< in elements; 0 is none
    unsigned threads = 1;
    std::size_t machine = 0;  ///< see drawn_machine

    /// Refer to this case.
    [[nodiscard]] xeinsum::options options(std::size_t element_bytes) const;
    [[nodiscard]] xeinsum::equation equation() const;
    /// The call in one line, for messages.
    [[nodiscard]] std::string text() const;
};

/// The case that belongs to a seed.
[[nodiscard]] random_case make_case(std::uint64_t seed);

/// Calls that are simpler than a given one in a single respect.
[[nodiscard]] std::vector<random_case> simpler_cases(const random_case& c);

/// Spells labels as equations do.
[[nodiscard]] std::string spell(int label, xeinsum::notation n);

/// Machines whose figures are up to a hundred times those of machine{}, or hundredths of them;
/// null, which is machine{}, for number 0. On the odd ones threads cost nothing, on the last two
/// copies.
[[nodiscard]] const xeinsum::machine* drawn_machine(std::size_t number);
inline constexpr std::size_t drawn_machines = 16;

}  // namespace random_calls
