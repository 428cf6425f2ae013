// A call whose axes are products of labels, made into one without: for "b n (h d) -> b h n d" the
// operand gets four axes, and the output of "b h n d -> b n (h d)" four to be written along.
#pragma once

#include <xeinsum/array/output.hpp>
#include <xeinsum/call/layouts.hpp>
#include <xeinsum/call/run_steps.hpp>
#include <xeinsum/equation/list_view.hpp>
#include <xeinsum/equation/network.hpp>
#include <xeinsum/equation/parser.hpp>
#include <xeinsum/plan/extents.hpp>
#include <xeinsum/plan/factors.hpp>
#include <xeinsum/plan/lengths.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace xeinsum::detail {

/// Everything about a call but the elements. Storage has room for all labels of all terms.
template <class Storage, class EquationStorage>
class grouped_call {
public:
    template <class Item>
    using list = typename Storage::template list<Item>;

    /// Throws einsum_error where lengths, operands and equation do not fit.
    grouped_call(const basic_equation<EquationStorage>& eq, call_kind kind,
                 planning::basic_grouping<Storage> grouping, list_view<const layout_view> operands,
                 list_view<const parsing::length_view> given)
        : equation_(eq), operands_(operands), grouping_(std::move(grouping)) {
        check(grouping_.error);
        if (problem p = check_layouts(operands); !p.ok()) {
            parsing::blame_term(p, eq, p.second.array);
            parsing::raise(p, eq);
        }
        for (const layout_view& o : operands) {
            ranks_.push_back(o.extents.size());
        }
        list<std::int64_t> lengths;
        lengths.resize(eq.label_count(), 0);
        check(parsing::take_lengths(eq, given, lengths));
        list<std::int64_t> closure = lengths;
        check(planning::find_missing(eq, grouping_, ranks_, closure));
        if (const problem p =
                planning::find_lengths(eq, grouping_, ranks_, operands, kind, lengths);
            !p.ok()) {
            parsing::raise(p, eq);
        }
        flat_ = planning::split(grouping_, ranks_, operands, lengths);
        const network_view net = network();
        for (std::size_t i = 0, begin = 0; i < operands.size(); begin = net.ends[i++]) {
            const std::size_t count = net.ends[i] - begin;
            layouts_.push_back(
                {{flat_.extents.data() + begin, count}, {flat_.strides.data() + begin, count}});
        }
        extents_.resize(net.label_count, 1);
        check(planning::find_extents(net, layouts_, extents_));
        for (const label l : net.output) {
            output_.push_back(extent(l));
        }
        shape_.resize(grouping_.output.size(), 1);
        if (!planning::join_extents(grouping_, output_, shape_)) {
            problem p;
            p.code = error_code::extent_overflow;
            check(p);
        }
    }
    grouped_call(const grouped_call&) = delete;
    grouped_call& operator=(const grouped_call&) = delete;

    [[nodiscard]] network_view network() const { return grouping_.network.view(); }
    /// The operands with an axis for each label.
    [[nodiscard]] list_view<const layout_view> layouts() const { return layouts_; }
    [[nodiscard]] std::int64_t extent(label l) const {
        return extents_[static_cast<std::size_t>(l)];
    }
    /// The result's extents, one for each axis that it has.
    [[nodiscard]] list_view<const std::int64_t> shape() const { return shape_; }

    /// Throws a problem whose axes are those of the network.
    [[noreturn]] void raise(problem p) const {
        if (p.code == error_code::output_shape) {
            locate_output(p, equation_, shape_.size());
        } else if (p.second.array != problem::nowhere) {
            locate(p, equation_, operands_[p.second.array].extents.size());
            to_axis(p.first);
            to_axis(p.second);
        }
        parsing::raise(p, equation_);
    }
    void check(const problem& p) const {
        if (!p.ok()) {
            raise(p);
        }
    }

    /// Calls write(destination) with an axis for each label of an output that has the result's
    /// shape.
    template <class T, class Write>
    void write(T* first, list_view<const std::int64_t> strides, Write write) const {
        list<std::int64_t> flat;
        flat.resize(output_.size(), 0);
        planning::for_each_output_axis(
            grouping_, [&](std::size_t axis, std::size_t begin, std::size_t count) {
                planning::split_stride(strides[axis], {output_.data() + begin, count},
                                       {flat.data() + begin, count});
            });
        write(destination<T>{first, output_, flat});
    }

    /// What is wrong with an existing output.
    [[nodiscard]] problem check_output(const layout_view& out) const {
        return detail::check_output(shape_, out);
    }

private:
    /// From the number of a label to that of the axis it lies on.
    void to_axis(problem::axis_place& place) const {
        if (place.array == problem::nowhere || place.axis == problem::nowhere) {
            return;
        }
        std::size_t at = 0;
        for (std::size_t i = 0; i < place.array; ++i) {
            at += ranks_[i];
        }
        std::size_t labels = 0;
        for (std::size_t a = 0; a < ranks_[place.array]; ++a) {
            labels += grouping_.axes[at + a].count;
            if (place.axis < labels) {
                place.axis = a;
                return;
            }
        }
    }

    const basic_equation<EquationStorage>& equation_;
    list_view<const layout_view> operands_;
    planning::basic_grouping<Storage> grouping_;
    list<std::size_t> ranks_{};
    planning::basic_flat_layouts<Storage> flat_{};
    list<layout_view> layouts_{};
    list<std::int64_t> extents_{};
    list<std::int64_t> output_{};
    list<std::int64_t> shape_{};
};

/// Writes the result of a call into a new array by way of fill(destination).
template <class Result, class T, class Call, class Fill>
[[nodiscard]] Result make_result(const Call& call, Fill fill) {
    typename Result::shape_type shape{};
    if constexpr (array::rank_of<Result> == array::dynamic_rank) {
        shape.resize(call.shape().size());
    }
    for (std::size_t a = 0; a < call.shape().size(); ++a) {
        shape[a] = static_cast<std::remove_cvref_t<decltype(shape[a])>>(call.shape()[a]);
    }
    auto result = Result::from_shape(shape);
    array::output<T, Result> out(result, false);
    call.write(out.data(), out.strides(), fill);
    return result;
}

/// Writes the result of a call into an array that exists. read tells whether fill will read it.
template <class T, class Out, class Call, class Fill>
void write_result(Out& array, bool read, const Call& call, Fill fill) {
    array::output<T, Out> out(array, read);
    call.check(call.check_output({out.extents(), out.strides()}));
    call.write(out.data(), out.strides(), fill);
    out.commit();
}

}  // namespace xeinsum::detail
