// How random calls are written.
#include "random_case.hpp"

#include <xeinsum/equation/parser.hpp>

#include <string_view>

namespace random_calls {

namespace {

[[nodiscard]] std::string joined(const std::vector<int>& labels, xeinsum::notation n) {
    std::string text;
    for (const int l : labels) {
        text += n == xeinsum::notation::names && !text.empty() ? " " : "";
        text += spell(l, n);
    }
    return text;
}

[[nodiscard]] std::int64_t number_of(int label) {
    return label == dots ? xeinsum::ellipsis : std::int64_t{10} * label - 7;
}

[[nodiscard]] std::vector<std::int64_t> numbers(const std::vector<int>& labels) {
    std::vector<std::int64_t> out;
    for (const int l : labels) {
        out.push_back(number_of(l));
    }
    return out;
}

}  // namespace

std::string spell(int label, xeinsum::notation n) {
    if (label == dots) {
        return "...";
    }
    return n == xeinsum::notation::integers ? std::to_string(number_of(label))
           : n == xeinsum::notation::names
               ? "axis_" + std::to_string(label)
               : std::string(1, static_cast<char>("aBcDeFgHiJkLmN"[label]));
}

xeinsum::equation random_case::equation() const {
    if (spelled == xeinsum::notation::integers) {
        std::vector<std::vector<std::int64_t>> inputs;
        for (const random_term& t : terms) {
            inputs.push_back(numbers(t.labels));
        }
        return output ? xeinsum::equation::from_labels(inputs, numbers(*output))
                      : xeinsum::equation::from_labels(inputs);
    }
    std::string text;
    for (std::size_t i = 0; i < terms.size(); ++i) {
        text += i == 0 ? "" : ",";
        text += joined(terms[i].labels, spelled);
    }
    if (output) {
        text += "->";
        text += joined(*output, spelled);
    }
    return xeinsum::parse(std::string_view(text), spelled);
}

std::string random_case::text() const {
    std::string line = "seed " + std::to_string(seed) + ": " + std::string(equation().text());
    for (const random_term& t : terms) {
        line += " (";
        for (std::size_t a = 0; a < t.extents.size(); ++a) {
            line += a == 0 ? "" : ",";
            line += std::to_string(t.extents[a]);
        }
        line += ')';
        if (t.lies != row_major(t.extents)) {
            line += " strides (";
            for (std::size_t a = 0; a < t.extents.size(); ++a) {
                line += a == 0 ? "" : ",";
                line += std::to_string(t.lies[a]);
            }
            line += ')';
        }
    }
    line += way == call_way::einsum      ? " by einsum"
            : way == call_way::einsum_to ? " by einsum_to"
                                         : " by a plan";
    if (way == call_way::plan) {
        line += planned == planned_for::arrays      ? ""
                : planned == planned_for::row_major ? " for row-major arrays"
                                                    : " for arrays that lie otherwise";
        for (std::size_t i = 0; i < terms.size(); ++i) {
            line += bound[i] ? " bound " + std::to_string(i) : "";
        }
    }
    line += listed ? " of a list" : "";
    line += overlapped ? " over operand " + std::to_string(*overlapped) : "";
    line += " alpha " + std::to_string(alpha) + " beta " + std::to_string(beta) + " lowering " +
            std::string(name(lowering)) + " path " + std::to_string(static_cast<int>(path));
    for (const auto& [a, b] : pairs) {
        line += " (" + std::to_string(a) + "," + std::to_string(b) + ")";
    }
    line += " limit " + std::to_string(memory_limit) + " threads " + std::to_string(threads) +
            " machine " + std::to_string(machine);
    return line + (infinities ? " with Inf and NaN" : special_values ? " with NaN" : "");
}

}  // namespace random_calls
