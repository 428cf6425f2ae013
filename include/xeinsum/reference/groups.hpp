// Axes that are products of labels, split: "b n (h d)" with h = 12 on an operand of the shape (2,
// 5, 48) is "b n h d" on (2, 5, 12, 4), whose elements lie in the same order.
#pragma once

#include <xeinsum/equation/axis_length.hpp>
#include <xeinsum/equation/equation.hpp>
#include <xeinsum/equation/error.hpp>
#include <xeinsum/equation/grouping.hpp>
#include <xeinsum/equation/lengths.hpp>
#include <xeinsum/equation/list_view.hpp>
#include <xeinsum/equation/parser.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace xeinsum::reference {

using shape = std::vector<std::size_t>;

/// One axis of an operand with the labels whose product it is.
struct labelled_axis {
    list_view<const label_use> labels{};
    std::size_t operand = 0;
    std::size_t axis = 0;
    std::int64_t extent = 0;
    parsing::axis_labels place{};

    /// The label of an axis that is no group and not under "...", else -1.
    [[nodiscard]] label single() const { return labels.size() == 1 ? labels[0].id : -1; }
};

/// All axes of operands whose ranks fit the equation.
template <class Storage>
[[nodiscard]] std::vector<labelled_axis> axes_of(const basic_equation<Storage>& eq,
                                                 const std::vector<shape>& shapes) {
    std::vector<labelled_axis> axes;
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        std::size_t axis = 0;
        parsing::for_each_axis(
            eq, static_cast<std::uint32_t>(i), shapes[i].size() - parsing::axis_count(eq, i),
            [&](const parsing::axis_labels& place, std::size_t first) {
                axes.push_back({eq.term(i).subspan(first, place.count), i, axis,
                                static_cast<std::int64_t>(shapes[i][axis]), place});
                ++axis;
            });
    }
    return axes;
}

/// The length of every label, found from those given, those spelled in the text and the extents.
/// Throws einsum_error.
template <class Storage>
[[nodiscard]] std::vector<std::int64_t> find_lengths(const basic_equation<Storage>& eq,
                                                     const std::vector<labelled_axis>& axes,
                                                     const axis_lengths& given) {
    constexpr std::int64_t unknown = parsing::unknown_length;
    std::vector<std::int64_t> lengths(eq.label_count());
    const auto length = [&](label l) -> std::int64_t& {
        return lengths[static_cast<std::size_t>(l)];
    };
    const auto check = [&](const problem& p) {
        if (!p.ok()) {
            parsing::raise(p, eq);
        }
    };
    const auto refuse_axis = [&](error_code code, const labelled_axis& a, std::int64_t expected) {
        problem p;
        p.code = code;
        p.column = a.place.column;
        p.length = a.place.length;
        p.second = {a.operand, a.axis, a.extent};
        p.expected = expected;
        parsing::raise(p, eq);
    };
    check(parsing::take_lengths(eq, detail::views_of(given), lengths));
    // What is known so far holds for axes of one label, but that an extent of 1 broadcasts.
    for (const labelled_axis& a : axes) {
        const label l = a.single();
        const std::int64_t known = a.labels.empty() ? 1 : l < 0 ? unknown : length(l);
        const bool broadcasts = l >= 0 && a.extent == 1 && eq.spelled_extent(l) == 0;
        if (known != unknown && known != a.extent && !broadcasts) {
            refuse_axis(error_code::length_mismatch, a, known);
        }
    }
    for (const labelled_axis& a : axes) {
        if (a.single() >= 0 && (length(a.single()) == unknown || length(a.single()) == 1)) {
            length(a.single()) = a.extent;
        }
    }
    // Of a group whose other lengths are known the last one follows.
    for (bool again = true; again;) {
        again = false;
        for (const labelled_axis& a : axes) {
            std::int64_t product = 1;
            label open = -1;
            std::size_t open_labels = 0;
            for (const label_use& use : a.labels) {
                if (a.labels.size() > 1 && length(use.id) == unknown) {
                    open = use.id;
                    ++open_labels;
                } else if (a.labels.size() > 1 &&
                           __builtin_mul_overflow(product, length(use.id), &product)) {
                    refuse_axis(error_code::extent_overflow, a, 0);
                }
            }
            if (a.labels.size() < 2 || open_labels > 1) {
                continue;
            }
            const bool follows = open_labels == 1 && product != 0;
            if (follows ? a.extent % product != 0 : a.extent != product) {
                refuse_axis(error_code::not_divisible, a, product);
            }
            if (follows) {
                length(open) = a.extent / product;
                again = true;
            }
        }
    }
    check(parsing::first_unknown(eq, list_view<const std::int64_t>(lengths)));
    return lengths;
}

/// Shapes with an axis for each label, which the same elements in the same order have.
template <class Storage>
[[nodiscard]] std::vector<shape> split_groups(const basic_equation<Storage>& eq,
                                              const std::vector<shape>& shapes,
                                              const axis_lengths& given) {
    const auto axes = axes_of(eq, shapes);
    const auto lengths = find_lengths(eq, axes, given);
    std::vector<shape> split(shapes.size());
    for (const labelled_axis& a : axes) {
        if (a.labels.size() == 1) {
            split[a.operand].push_back(static_cast<std::size_t>(a.extent));
            continue;
        }
        for (const label_use& use : a.labels) {
            split[a.operand].push_back(
                static_cast<std::size_t>(lengths[static_cast<std::size_t>(use.id)]));
        }
    }
    return split;
}

}  // namespace xeinsum::reference
