// The arrays of a plan with groups: "b n (h d) -> b h n d" is planned for an operand of four axes
// and run on one of three, whose strides are taken apart.
#pragma once

#include <xeinsum/equation/error.hpp>
#include <xeinsum/equation/list_view.hpp>
#include <xeinsum/equation/storage.hpp>
#include <xeinsum/plan/extents.hpp>
#include <xeinsum/plan/factors.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace xeinsum::planning {

/// Which labels lie on which axes, and how long they are. In the network every label has an axis of
/// its own.
struct grouped_arrays {
    basic_grouping<heap_storage> grouping{};
    std::vector<std::size_t> ranks{};            ///< of the operands as they are
    std::vector<std::int64_t> lengths{};         ///< by label
    std::vector<std::int64_t> label_extents{};   ///< along each axis of the network, in its order
    std::vector<std::int64_t> output_extents{};  ///< the same of the output
    std::vector<std::int64_t> shape{};           ///< of the output as it is

    /// Arrays with an axis for each label, and memory that is left.
    struct split_layouts {
        list_view<const layout_view> operands{};
        list_view<const std::int64_t> output_strides{};
        list_view<std::byte> rest{};
    };

    /// Bytes that split() writes at most.
    [[nodiscard]] std::size_t split_bytes() const noexcept {
        return ranks.size() * sizeof(layout_view) +
               (label_extents.size() + output_extents.size()) * sizeof(std::int64_t);
    }

    /// Takes apart the strides of an output and of some operands, which are listed by number; the
    /// memory must be aligned for pointers.
    [[nodiscard]] split_layouts split(list_view<const layout_view> arrays,
                                      list_view<const std::size_t> which,
                                      list_view<const std::int64_t> output_strides,
                                      list_view<std::byte> memory) const noexcept {
        auto* const views = reinterpret_cast<layout_view*>(memory.data());
        auto* next = reinterpret_cast<std::int64_t*>(views + arrays.size());
        const auto take_apart = [&next](std::int64_t stride,
                                        list_view<const std::int64_t> extents) {
            split_stride(stride, extents, {next, extents.size()});
            next += extents.size();
        };
        const network_view net = grouping.network.view();
        for (std::size_t i = 0; i < arrays.size(); ++i) {
            std::size_t axis = first_axis(which[i]);
            std::size_t at = which[i] == 0 ? 0 : net.ends[which[i] - 1];
            const std::size_t count = net.ends[which[i]] - at;
            std::construct_at(views + i,
                              layout_view{{label_extents.data() + at, count}, {next, count}});
            for (const std::int64_t stride : arrays[i].strides) {
                const std::size_t labels = grouping.axes[axis++].count;
                take_apart(stride, {label_extents.data() + at, labels});
                at += labels;
            }
        }
        const list_view<const std::int64_t> output(next, output_extents.size());
        for_each_output_axis(
            grouping, [&](std::size_t axis, std::size_t begin, std::size_t labels) {
                take_apart(output_strides[axis], {output_extents.data() + begin, labels});
            });
        auto* const end = reinterpret_cast<std::byte*>(next);
        return {{views, arrays.size()},
                output,
                {end, memory.size() - static_cast<std::size_t>(end - memory.data())}};
    }

    /// Points a problem with an axis of an operand, as it is, at the labels that lie on it.
    void locate(problem& p) const noexcept {
        if (p.second.array != problem::nowhere && p.second.axis != problem::nowhere) {
            const parsing::axis_labels& place =
                grouping.axes[first_axis(p.second.array) + p.second.axis];
            p.column = place.column;
            p.length = place.length;
        }
    }

private:
    [[nodiscard]] std::size_t first_axis(std::size_t operand) const noexcept {
        std::size_t axis = 0;
        for (std::size_t i = 0; i < operand; ++i) {
            axis += ranks[i];
        }
        return axis;
    }
};

}  // namespace xeinsum::planning
