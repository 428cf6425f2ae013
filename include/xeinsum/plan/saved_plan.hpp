// What a plan depends on, and the path that was found for it, as text: lines such as
// equation "ij,jk,kl->il" and found_path [[1, 2], [0, 3]].
#pragma once

#include <xeinsum/equation/equation.hpp>
#include <xeinsum/equation/error.hpp>
#include <xeinsum/equation/join.hpp>
#include <xeinsum/equation/list_reader.hpp>
#include <xeinsum/equation/list_view.hpp>
#include <xeinsum/plan/key.hpp>
#include <xeinsum/plan/layout.hpp>
#include <xeinsum/plan/options.hpp>
#include <xeinsum/plan/path/record.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <locale>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace xeinsum::planning {

/// A plan without its steps, which are made for the machine that reads it.
struct saved_plan {
    std::string element{};  ///< the type's name
    plan_key key{};         ///< without a machine
    path_record path{};
};

/// The names of notations, in the order of their values.
inline constexpr std::array<std::string_view, 5> notation_names{"automatic", "letters", "names",
                                                                "integers", "grouped"};

/// All digits of a number, whatever the locale; "inf", "-inf" or "nan" where it is no finite one.
[[nodiscard]] inline std::string exact_text(double x) {
    if (std::isnan(x)) {
        return "nan";
    }
    if (std::isinf(x)) {
        return x > 0 ? "inf" : "-inf";
    }
    std::ostringstream out;
    out.imbue(std::locale::classic());
    out.precision(std::numeric_limits<double>::max_digits10);
    out << x;
    return out.str();
}

/// "[4, 60]"
template <class Numbers>
[[nodiscard]] std::string list_text(const Numbers& numbers) {
    std::string out = "[";
    for (const auto n : numbers) {
        parsing::append(out, parsing::join(out.size() > 1 ? ", " : "", n));
    }
    return out + ']';
}
/// "[[1, 2], [0, 3]]", of structures of two numbers.
template <class Pairs>
[[nodiscard]] std::string pairs_text(const Pairs& pairs) {
    std::string out = "[";
    for (const auto& [a, b] : pairs) {
        parsing::append(out, parsing::join(out.size() > 1 ? ", [" : "[", a, ", ", b, ']'));
    }
    return out + ']';
}

/// As lines, each of which begins with what it tells.
[[nodiscard]] inline std::string text_of(const saved_plan& plan) {
    std::string out;
    const auto line = [&out](const auto&... parts) {
        parsing::append(out, parsing::join(parts..., '\n'));
    };
    line("element ", plan.element);
    line("notation ", notation_names[static_cast<std::size_t>(plan.key.notation())]);
    line("equation ", parsing::quoted(plan.key.equation()));
    line("operands ", plan.key.operands().size());
    for (const layout& l : plan.key.operands()) {
        line("operand ", list_text(l.extents), ' ', list_text(l.strides));
    }
    line("lengths ", list_text(plan.key.lengths()));
    const options wanted = plan.key.wanted();
    // Names every member: a new one does not compile before it is considered here.
    const auto& [lowering, path, memory_limit, threads, parallel, notation, cost, restarts, seconds,
                 pairs, slices, machine] = wanted;
    static_cast<void>(parallel);
    static_cast<void>(notation);
    static_cast<void>(machine);
    line("lowering ", name(lowering));
    line("path ", name(path));
    line("memory_limit ", memory_limit == options().memory_limit ? std::string("none")
                                                                 : parsing::join(memory_limit));
    line("threads ", threads);
    line("path_cost ", exact_text(cost.per_operation), ' ', exact_text(cost.per_element), ' ',
         exact_text(cost.per_step));
    line("path_restarts ", restarts);
    line("path_seconds ", exact_text(seconds));
    line("path_pairs ", pairs_text(pairs));
    line("slices ", pairs_text(slices));
    line("found_path ", pairs_text(plan.path.path));
    line("found_slices ", pairs_text(plan.path.slices));
    return out;
}

/// A number that differs for any two texts of which one is the other with a character changed.
[[nodiscard]] constexpr std::uint64_t checksum(std::string_view text) noexcept {
    std::uint64_t h = 0xcbf29ce484222325U;  // FNV-1a
    for (const char c : text) {
        h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
    }
    return h;
}

}  // namespace xeinsum::planning
