// An equation against the ranks of its operands: "...ij,...jk" on ranks 3 and 2 has one axis under
// the ellipsis, which becomes a label of its own.
#pragma once

#include <xeinsum/equation/equation.hpp>
#include <xeinsum/equation/error.hpp>
#include <xeinsum/equation/grouping.hpp>
#include <xeinsum/equation/list_view.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>

namespace xeinsum {

/// Whether a label is among others.
[[nodiscard]] constexpr bool holds(list_view<const label> labels, label wanted) noexcept {
    return std::find(labels.begin(), labels.end(), wanted) != labels.end();
}

/// Terms as plain labels, one for each axis; no ellipsis, no text. Labels from named_labels on
/// stand for axes under "...", the last of them for the last such axis.
struct network_view {
    list_view<const label> axes{};  ///< labels of all operands, one after the other
    list_view<const std::size_t> ends{};
    list_view<const label> output{};
    std::size_t label_count = 0;
    std::size_t named_labels = 0;

    [[nodiscard]] constexpr std::size_t operand_count() const noexcept { return ends.size(); }
    [[nodiscard]] constexpr list_view<const label> operand(std::size_t i) const noexcept {
        const std::size_t begin = i == 0 ? 0 : ends[i - 1];
        return axes.subspan(begin, ends[i] - begin);
    }
};

template <class Storage>
struct basic_network {
    typename Storage::template list<label> axes{};
    typename Storage::template list<std::size_t> ends{};
    typename Storage::template list<label> output{};
    std::size_t label_count = 0;
    std::size_t named_labels = 0;
    problem error{};

    [[nodiscard]] constexpr network_view view() const noexcept {
        return {{axes.data(), axes.size()},
                {ends.data(), ends.size()},
                {output.data(), output.size()},
                label_count,
                named_labels};
    }
};

namespace parsing {

template <class List>
constexpr void append_axes(list_view<const label_use> term, std::size_t covered,
                           std::size_t label_count, List& axes) {
    for (const label_use& use : term) {
        if (use.id != ellipsis_label) {
            axes.push_back(use.id);
            continue;
        }
        for (std::size_t i = 0; i < covered; ++i) {
            axes.push_back(static_cast<label>(label_count - covered + i));
        }
    }
}

/// Column and length of operand i's term, as far as its labels tell.
template <class Storage>
constexpr void blame_term(problem& p, const basic_equation<Storage>& eq, std::size_t i) {
    const auto term = eq.term(i);
    if (!term.empty()) {
        p.column = term.front().column;
        p.length = term.back().column + term.back().length - term.front().column;
    }
}

}  // namespace parsing

/// Points a problem with an operand's axis at the label, or the "...", that stands for it. With
/// groups, axes are counted as if each of their labels were one.
template <class Storage>
constexpr void locate(problem& p, const basic_equation<Storage>& eq, std::size_t rank) {
    const std::size_t operand = p.second.array;
    if (p.column != 0 || operand == problem::nowhere) {
        return;
    }
    if (p.second.axis == problem::nowhere) {
        parsing::blame_term(p, eq, operand);
        return;
    }
    const auto term = eq.term(operand);
    const std::size_t covered = rank - parsing::axis_count(eq, operand);
    std::size_t axis = 0;
    for (const label_use& use : term) {
        axis += use.id == ellipsis_label ? covered : 1;
        if (p.second.axis < axis) {
            p.column = use.column;
            p.length = use.length;
            return;
        }
    }
}

/// Points a problem with the output, whose right rank is given, at the label or group of its axis,
/// or at the whole term; where the output is derived, at the first label of that name.
template <class Storage>
constexpr void locate_output(problem& p, const basic_equation<Storage>& eq, std::size_t rank) {
    const auto output = eq.output();
    if (output.empty()) {
        return;
    }
    if (p.second.axis == problem::nowhere) {
        p.column = output.front().column;
        p.length = output.back().column + output.back().length - output.front().column;
        return;
    }
    std::size_t named = 0;
    parsing::for_each_axis(eq, label_group::in_output, 0,
                           [&](const parsing::axis_labels&, std::size_t) { ++named; });
    std::size_t axis = 0;
    std::size_t at = 0;
    parsing::for_each_axis(eq, label_group::in_output, rank - named,
                           [&](const parsing::axis_labels& labels, std::size_t first) {
                               if (axis++ == p.second.axis) {
                                   p.column = labels.column;
                                   p.length = labels.length;
                                   at = first;
                               }
                           });
    for (std::size_t t = 0; t < eq.term_count() && p.column == 0; ++t) {
        for (const label_use& use : eq.term(t)) {
            if (use.id == output[at].id && p.column == 0) {
                p.column = use.column;
                p.length = use.length;
            }
        }
    }
}

/// Whether a call takes groups of labels, which the network has side by side.
enum class groups : unsigned char { refused, split };

/// Expands every "..." for operands of the given ranks, aligned from the right; error tells a wrong
/// number of operands or a rank that does not fit.
template <class Storage, class EquationStorage>
[[nodiscard, gnu::cold]] constexpr basic_network<Storage> resolve(
    const basic_equation<EquationStorage>& eq, list_view<const std::size_t> ranks,
    groups allowed = groups::refused) {
    basic_network<Storage> net;
    if (eq.notation() == notation::grouped && allowed == groups::refused) {
        net.error.code = error_code::unsupported_axis;
        return net;
    }
    if (ranks.size() != eq.term_count()) {
        net.error.code = ranks.empty() ? error_code::no_operand : error_code::operand_count;
        net.error.expected = static_cast<std::int64_t>(eq.term_count());
        net.error.found = static_cast<std::int64_t>(ranks.size());
        return net;
    }
    std::size_t covered = 0;  // by the longest ellipsis
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        const std::size_t named = parsing::axis_count(eq, i);
        const bool open = parsing::has_ellipsis(eq.term(i));
        if (open ? ranks[i] < named : ranks[i] != named) {
            net.error.code = error_code::rank_mismatch;
            net.error.second.array = i;
            net.error.expected = static_cast<std::int64_t>(named);
            net.error.found = static_cast<std::int64_t>(ranks[i]);
            net.error.reason = open ? " and '...'" : nullptr;
            parsing::blame_term(net.error, eq, i);
            return net;
        }
        covered = std::max(covered, ranks[i] - named);
    }
    net.named_labels = eq.label_count();
    net.label_count = eq.label_count() + covered;
    net.ends.reserve(ranks.size());
    net.axes.reserve(std::accumulate(ranks.begin(), ranks.end(), std::size_t{0}));
    net.output.reserve(net.label_count);
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        const std::size_t own = ranks[i] - parsing::axis_count(eq, i);
        parsing::append_axes(eq.term(i), own, net.label_count, net.axes);
        net.ends.push_back(net.axes.size());
    }
    parsing::append_axes(eq.output(), covered, net.label_count, net.output);
    return net;
}

}  // namespace xeinsum
