// How long axes are that a call names: with h = 12 given, the 48 elements of the group in
// "b n (h d) -> b h n d" make d = 4.
#pragma once

#include <xeinsum/equation/equation.hpp>
#include <xeinsum/equation/error.hpp>
#include <xeinsum/equation/lengths.hpp>
#include <xeinsum/equation/list_view.hpp>
#include <xeinsum/plan/extents.hpp>
#include <xeinsum/plan/factors.hpp>

#include <cstddef>
#include <cstdint>

namespace xeinsum::planning {

/// The first label whose length neither the call nor an axis tells, as a problem. Lengths hold
/// parsing::unknown_length or anything else.
template <class Storage, class EquationStorage>
[[nodiscard]] constexpr problem find_missing(const basic_equation<EquationStorage>& eq,
                                             const basic_grouping<Storage>& g,
                                             list_view<const std::size_t> ranks,
                                             list_view<std::int64_t> lengths) {
    const auto learn = [&](list_view<const label> labels) {
        std::size_t unknown = 0;
        std::size_t last = 0;
        for (const label l : labels) {
            const auto id = static_cast<std::size_t>(l);
            if (id < lengths.size() && lengths[id] == parsing::unknown_length) {
                ++unknown;
                last = id;
            }
        }
        if (unknown == 1) {
            lengths[last] = 0;
        }
        return unknown == 1;
    };
    for (bool again = true; again;) {
        again = false;
        for_each_axis(g, ranks, [&](const grouped_axis& axis) {
            again = learn(axis.labels) || again;
            return true;
        });
    }
    return parsing::first_unknown(eq,
                                  list_view<const std::int64_t>(lengths.data(), lengths.size()));
}

/// Writes every length that find_missing() found to follow from the operands' extents. What was
/// known before must agree with them; in an einsum an extent of 1 always does. Of a group whose
/// extent is 0 and of which a length is 0 the others do not follow: missing_length.
template <class Storage, class EquationStorage>
[[nodiscard]] constexpr problem find_lengths(const basic_equation<EquationStorage>& eq,
                                             const basic_grouping<Storage>& g,
                                             list_view<const std::size_t> ranks,
                                             list_view<const layout_view> operands, call_kind kind,
                                             list_view<std::int64_t> lengths) {
    problem p;
    const auto blame = [&](const grouped_axis& axis, error_code code, std::int64_t expected) {
        p.code = code;
        p.column = axis.place.column;
        p.length = axis.place.length;
        p.second = {axis.operand, axis.axis, operands[axis.operand].extents[axis.axis]};
        p.expected = expected;
        return false;
    };
    const auto extent_of = [&](const grouped_axis& axis) {
        return operands[axis.operand].extents[axis.axis];
    };
    const auto is_named = [&](const grouped_axis& axis) {
        return axis.place.count == 1 && static_cast<std::size_t>(axis.labels[0]) < lengths.size();
    };
    // What was given, before what is found is mixed with it.
    const bool given_fit = for_each_axis(g, ranks, [&](const grouped_axis& axis) {
        if (extent_of(axis) < 0) {
            return blame(axis, error_code::extent_overflow, 0);
        }
        if (axis.place.count == 0) {
            return extent_of(axis) == 1 || blame(axis, error_code::length_mismatch, 1);
        }
        if (!is_named(axis)) {
            return true;
        }
        const std::int64_t known = lengths[static_cast<std::size_t>(axis.labels[0])];
        const bool broadcasts = kind == call_kind::einsum && extent_of(axis) == 1 &&
                                eq.spelled_extent(axis.labels[0]) == 0;
        return known == parsing::unknown_length || known == extent_of(axis) || broadcasts ||
               blame(axis, error_code::length_mismatch, known);
    });
    if (!given_fit) {
        return p;
    }
    for_each_axis(g, ranks, [&](const grouped_axis& axis) {
        if (is_named(axis)) {
            std::int64_t& known = lengths[static_cast<std::size_t>(axis.labels[0])];
            known = known == parsing::unknown_length || known == 1 ? extent_of(axis) : known;
        }
        return true;
    });
    bool again = true;
    const auto solve = [&](const grouped_axis& axis) {
        if (axis.place.count < 2) {
            return true;
        }
        std::int64_t product = 1;
        std::int64_t* open = nullptr;
        std::size_t unknown = 0;
        for (const label l : axis.labels) {
            std::int64_t& length = lengths[static_cast<std::size_t>(l)];
            if (length == parsing::unknown_length) {
                open = &length;
                ++unknown;
            } else if (!multiply(product, length, product)) {
                return blame(axis, error_code::extent_overflow, 0);
            }
        }
        if (unknown > 1) {
            return true;
        }
        const std::int64_t extent = extent_of(axis);
        const bool tells = unknown == 1 && product != 0;
        if (tells ? extent % product != 0 : extent != product) {
            return blame(axis, error_code::not_divisible, product);
        }
        if (tells) {
            *open = extent / product;
            again = true;
        }
        return true;
    };
    while (again) {
        again = false;
        if (!for_each_axis(g, ranks, solve)) {
            return p;
        }
    }
    return parsing::first_unknown(eq,
                                  list_view<const std::int64_t>(lengths.data(), lengths.size()));
}

}  // namespace xeinsum::planning
