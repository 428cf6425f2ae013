// The labels of an equation as loops: "ij,jk->ik" on (2, 3) and (3, 4) runs over i = 2, j = 3 and
// k = 4, and each element of its result adds up 3 terms.
#pragma once

#include <xeinsum/equation/equation.hpp>
#include <xeinsum/equation/error.hpp>
#include <xeinsum/equation/grouping.hpp>
#include <xeinsum/equation/join.hpp>
#include <xeinsum/equation/network.hpp>
#include <xeinsum/equation/parser.hpp>
#include <xeinsum/reference/groups.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace xeinsum::reference {

/// An equation, which lies in Storage, on operands of certain shapes. Groups are split: every label
/// has an axis of its own.
template <class Storage>
class basic_walk {
public:
    /// An equation with groups needs lengths, which may be none. Throws einsum_error where the
    /// equation does not fit the shapes.
    basic_walk(const basic_equation<Storage>& eq, std::vector<shape> shapes,
               const axis_lengths* lengths = nullptr)
        : shapes_(std::move(shapes)) {
        for (const shape& s : shapes_) {
            ranks_.push_back(s.size());
        }
        const auto net =
            resolve<Storage>(eq, ranks_, lengths == nullptr ? groups::refused : groups::split);
        if (!net.error.ok()) {
            parsing::raise(net.error, eq);
        }
        if (lengths != nullptr) {
            shapes_ = split_groups(eq, shapes_, *lengths);
        }
        extents_.assign(net.label_count, 1);
        for (std::size_t i = 0; i < shapes_.size(); ++i) {
            const auto axes = net.view().operand(i);
            terms_.emplace_back(axes.begin(), axes.end());
            for (std::size_t a = 0; a < axes.size(); ++a) {
                join(eq, net.view(), i, a);
            }
        }
        output_.assign(net.output.begin(), net.output.end());
        for (const std::size_t l : output_) {
            names_.push_back(l < net.named_labels
                                 ? std::string(eq.name(static_cast<label>(l)))
                                 : parsing::join("...[", l - net.named_labels, "]"));
        }
        parsing::for_each_axis(
            eq, label_group::in_output, net.label_count - net.named_labels,
            [&](const parsing::axis_labels& axis, std::size_t) { groups_.push_back(axis.count); });
    }

    /// Extents of all labels.
    [[nodiscard]] const shape& extents() const { return extents_; }
    /// The label of each axis of an operand, and its extents; 1 stands for any extent of the label.
    [[nodiscard]] const std::vector<std::size_t>& term(std::size_t i) const { return terms_[i]; }
    [[nodiscard]] const shape& operand_shape(std::size_t i) const { return shapes_[i]; }
    /// The labels of the result.
    [[nodiscard]] const std::vector<std::size_t>& output() const { return output_; }

    /// The extents of the result, where a group is one axis.
    [[nodiscard]] shape result_shape() const {
        shape s;
        std::size_t at = 0;
        for (const std::size_t labels : groups_) {
            s.push_back(1);
            for (const std::size_t end = at + labels; at < end; ++at) {
                s.back() *= extents_[output_[at]];
            }
        }
        return s;
    }

    [[nodiscard]] std::size_t result_size() const {
        std::size_t size = 1;
        for (const std::size_t l : output_) {
            size *= extents_[l];
        }
        return size;
    }

    /// Products that each element of the result adds up.
    [[nodiscard]] double terms_per_element() const {
        double terms = 1;
        std::vector<bool> kept(extents_.size(), false);
        for (const std::size_t l : output_) {
            kept[l] = true;
        }
        for (std::size_t l = 0; l < extents_.size(); ++l) {
            terms *= kept[l] ? 1.0 : static_cast<double>(extents_[l]);
        }
        return terms;
    }

    /// The index of an element of the result, which are counted in row-major order: "i=3, k=7".
    [[nodiscard]] std::string index_text(std::size_t element) const {
        std::string text;
        for (std::size_t a = output_.size(); a-- > 0;) {
            const std::size_t extent = extents_[output_[a]];
            text = parsing::join(names_[a], "=", element % extent, text.empty() ? "" : ", ", text);
            element /= extent;
        }
        return text.empty() ? "the only element" : text;
    }

private:
    /// Takes the extent of one axis into account.
    void join(const basic_equation<Storage>& eq, const network_view& net, std::size_t operand,
              std::size_t axis) {
        const label l = net.operand(operand)[axis];
        const std::size_t extent = shapes_[operand][axis];
        problem p;
        p.second = {operand, axis, static_cast<std::int64_t>(extent)};
        for (std::size_t before = 0; before < axis; ++before) {
            if (net.operand(operand)[before] == l && shapes_[operand][before] != extent) {
                p.code = error_code::diagonal_mismatch;
                p.first = {operand, before, static_cast<std::int64_t>(shapes_[operand][before])};
                fail(p, eq);
            }
        }
        std::size_t& known = extents_[static_cast<std::size_t>(l)];
        if (extent != 1 && known != 1 && extent != known) {
            p.code = static_cast<std::size_t>(l) < net.named_labels ? error_code::extent_mismatch
                                                                    : error_code::ellipsis_mismatch;
            p.first = place_of(net, l, known);
            fail(p, eq);
        }
        known = extent == 1 ? known : extent;
    }

    [[nodiscard]] problem::axis_place place_of(const network_view& net, label l,
                                               std::size_t extent) const {
        for (std::size_t i = 0; i < shapes_.size(); ++i) {
            for (std::size_t a = 0; a < shapes_[i].size(); ++a) {
                if (net.operand(i)[a] == l && shapes_[i][a] == extent) {
                    return {i, a, static_cast<std::int64_t>(extent)};
                }
            }
        }
        return {};
    }

    [[noreturn]] void fail(problem p, const basic_equation<Storage>& eq) const {
        locate(p, eq, ranks_[p.second.array]);
        to_axis(p.first, eq);
        to_axis(p.second, eq);
        parsing::raise(p, eq);
    }

    /// From the number of a label in its term to that of the axis it lies on.
    void to_axis(problem::axis_place& place, const basic_equation<Storage>& eq) const {
        const std::size_t wanted = place.axis;
        std::size_t axis = 0;
        std::size_t labels = 0;
        parsing::for_each_axis(eq, static_cast<std::uint32_t>(place.array),
                               ranks_[place.array] - parsing::axis_count(eq, place.array),
                               [&](const parsing::axis_labels& a, std::size_t) {
                                   place.axis = labels <= wanted ? axis : place.axis;
                                   labels += a.count;
                                   ++axis;
                               });
    }

    std::vector<std::size_t> ranks_{};  // of the operands as they are given
    std::vector<shape> shapes_;
    shape extents_{};
    std::vector<std::vector<std::size_t>> terms_{};
    std::vector<std::size_t> output_{};
    std::vector<std::string> names_{};
    std::vector<std::size_t> groups_{};  // labels on each axis of the result
};

using walk = basic_walk<heap_storage>;

}  // namespace xeinsum::reference
