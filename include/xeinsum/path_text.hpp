// Orders of contraction and sliced labels as text, for programs that search for them elsewhere:
// "[[1, 2], [0, 1]]", as opt_einsum and cotengra write them, contracts b and c of "ij,jk,kl->il"
// first, and ["k"] computes one k at a time.
#pragma once

#include <xeinsum/equation/equation.hpp>
#include <xeinsum/equation/error.hpp>
#include <xeinsum/equation/join.hpp>
#include <xeinsum/equation/list_reader.hpp>
#include <xeinsum/equation/list_view.hpp>
#include <xeinsum/plan/options.hpp>
#include <xeinsum/plan/step/step.hpp>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace xeinsum {

/// Pairs for options::path_pairs from JSON, [[0, 1], [0, 1]], or as Python prints them, [(0, 1),
/// (0, 1)]. Whether numbers are positions among the terms that are left (opt_einsum:
/// path_strategy::linear_pairs) or stay with their terms (cotengra's SSA paths:
/// path_strategy::numbered_pairs) the text does not tell. Throws einsum_error, malformed_path with
/// the column of the text, where it is no list of pairs; whether they contract every term once is
/// checked by the plan.
[[nodiscard]] inline std::vector<std::pair<std::size_t, std::size_t>> read_path_pairs(
    std::string_view text) {
    parsing::list_reader reader(text, error_code::malformed_path,
                                "a contraction path is written as [[0, 1], [0, 1]]");
    auto pairs = reader.pairs<std::size_t, std::size_t>("terms are numbers from 0");
    reader.end();
    return pairs;
}

/// The path of a plan, as plan.path() gives it, in positions among the terms that are left, results
/// being put at the end: what opt_einsum and path_strategy::linear_pairs take. Throws einsum_error,
/// malformed_path, where an entry names a term that does not exist or was contracted before.
[[nodiscard]] inline std::vector<std::vector<std::size_t>> linear_path(
    const std::vector<std::vector<std::size_t>>& path, std::size_t operands) {
    std::vector<std::size_t> left(operands);
    std::iota(left.begin(), left.end(), std::size_t{0});
    std::vector<std::vector<std::size_t>> out;
    for (const std::vector<std::size_t>& terms : path) {
        std::vector<std::size_t> places;
        for (const std::size_t term : terms) {
            const auto place = std::find(left.begin(), left.end(), term);
            if (place == left.end()) {
                refuse_call(error_code::malformed_path, 0,
                            parsing::join("xeinsum: a contraction path contracts each term once, "
                                          "and term ",
                                          term, " of entry ", out.size(), " is not left"));
            }
            places.push_back(static_cast<std::size_t>(place - left.begin()));
        }
        std::sort(places.begin(), places.end());
        if (std::adjacent_find(places.begin(), places.end()) != places.end()) {
            refuse_call(error_code::malformed_path, 0,
                        parsing::join("xeinsum: entry ", out.size(),
                                      " of a contraction path names a term twice"));
        }
        for (std::size_t p = places.size(); p-- > 0;) {
            left.erase(left.begin() + static_cast<std::ptrdiff_t>(places[p]));
        }
        left.push_back(operands + out.size());
        out.push_back(std::move(places));
    }
    return out;
}

/// A path as JSON: [[1, 2], [0, 3]].
[[nodiscard]] inline std::string path_text(const std::vector<std::vector<std::size_t>>& path) {
    std::string out = "[";
    for (const std::vector<std::size_t>& terms : path) {
        out += out.size() > 1 ? ", [" : "[";
        for (std::size_t i = 0; i < terms.size(); ++i) {
            parsing::append(out, parsing::join(i > 0 ? ", " : "", terms[i]));
        }
        out += ']';
    }
    return out + "]";
}

/// Labels for options::slices from a list of their names, ["k", "m"], as cotengra's sliced_inds,
/// which are cut into slices of extent 1; a label with another number of slices stands in a list
/// with it, [["k", 4], "m"]. JSON, or as Python prints it. Axes under "..." are named ...0, ...1
/// and so on. Throws einsum_error, malformed_path with the column of the text, where it is no such
/// list or the equation has no such label; whether numbers divide extents is checked by the plan.
[[nodiscard]] inline std::vector<sliced_label> read_sliced_labels(const equation& eq,
                                                                  std::string_view text) {
    parsing::list_reader reader(text, error_code::malformed_path,
                                "sliced labels are written as [[\"k\", 4], \"m\"]");
    const auto label_named = [&] {
        const std::size_t begin = reader.here();
        const std::string name = reader.string();
        for (std::size_t l = 0; l < eq.label_count(); ++l) {
            if (eq.name(static_cast<label>(l)) == name) {
                return static_cast<label>(l);
            }
        }
        label axis = 0;
        const char* const end = name.data() + name.size();
        if (name.starts_with("...") && std::from_chars(name.data() + 3, end, axis).ptr == end &&
            axis >= 0 && name.size() > 3 &&
            axis < std::numeric_limits<label>::max() - static_cast<label>(eq.label_count())) {
            return static_cast<label>(eq.label_count()) + axis;
        }
        reader.back(begin);
        reader.refuse(parsing::join("no label of the equation is named '", name, '\''));
    };
    std::vector<sliced_label> labels;
    reader.list([&] {
        if (!reader.sees('[') && !reader.sees('(')) {
            labels.push_back({label_named(), 0});
            return;
        }
        const std::size_t begin = reader.here();
        std::size_t parts = 0;
        sliced_label one;
        reader.list([&] {
            ++parts;
            if (parts == 1) {
                one.id = label_named();
            } else {
                one.count = reader.number<std::int64_t>("a label is cut into a number of slices");
            }
        });
        if (parts != 2 || one.count < 1) {
            reader.back(begin);
            reader.refuse("an entry is a label, or a label and a number of slices");
        }
        labels.push_back(one);
    });
    reader.end();
    return labels;
}

/// The slices of a plan, as plan.slices() gives them, as read_sliced_labels takes them: names alone
/// where slices have extent 1.
[[nodiscard]] inline std::string sliced_labels_text(const equation& eq,
                                                    list_view<const label_slices> slices) {
    std::string out = "[";
    for (const label_slices& s : slices) {
        const auto id = static_cast<std::size_t>(s.id);
        const std::string name =
            parsing::quoted(id < eq.label_count() ? std::string(eq.name(s.id))
                                                  : parsing::join("...", id - eq.label_count()));
        out += out.size() > 1 ? ", " : "";
        out += s.extent == 1 ? name : parsing::join('[', name, ", ", s.count, ']');
    }
    return out + ']';
}

}  // namespace xeinsum
