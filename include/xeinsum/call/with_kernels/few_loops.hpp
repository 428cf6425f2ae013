// The body of what runs a nest of few iterations, for calls that do not have it inlined: two loops
// over results and one over terms of "bij,j->bi" are one of the nests that are compiled for their
// number of loops.
#pragma once

#include <xeinsum/call/precomputed_call.hpp>
#include <xeinsum/kernel/loop_nest.hpp>
#include <xeinsum/kernel/reduce/nest_shapes.hpp>
#include <xeinsum/kernel/reduce/small_nest.hpp>
#include <xeinsum/kernel/scaling.hpp>
#include <xeinsum/kernel/step_kinds.hpp>
#include <xeinsum/lowering/element_target.hpp>
#include <xeinsum/lowering/runs.hpp>
#include <xeinsum/plan/step/step.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace xeinsum::detail {

/// Nests of few inputs and of few loops over results and over terms.
template <class T, class Arch>
class few_loops {
public:
    using run = void (*)(const std::int64_t*, const T* const*, T*, const kernel::scaling<T>&);

    /// Null where there are more.
    [[nodiscard]] static run find(std::size_t inputs, std::size_t outputs, std::size_t sums) {
        return inputs - 1 < most_inputs && outputs < output_counts && sums < sum_counts
                   ? all[((inputs - 1) * output_counts + outputs) * sum_counts + sums]
                   : nullptr;
    }

private:
    static constexpr std::size_t most_inputs = 3;
    static constexpr std::size_t output_counts = 4;  // 0 to 3 loops
    static constexpr std::size_t sum_counts = 3;

    template <std::size_t I>
    static void run_one(const std::int64_t* rows, const T* const* from, T* out,
                        const kernel::scaling<T>& scale) {
        kernel::small_nest<T, Arch, 1 + I / sum_counts / output_counts,
                           I / sum_counts % output_counts, I % sum_counts>::run(rows, from, out,
                                                                                scale);
    }
    static constexpr auto all = []<std::size_t... I>(std::index_sequence<I...>) {
        return std::array<run, sizeof...(I)>{&run_one<I>...};
    }
    (std::make_index_sequence<most_inputs * output_counts * sum_counts>());
};

template <class T, class Arch>
    requires kernel::compiled_here<Arch>
void run_few_loops(const recipe& how, const kernel::loops& rows, std::size_t inputs,
                   const lowerings::element_t<T>* const* from, lowerings::element_t<T>* out,
                   const kernel::scaling<lowerings::element_t<T>>& scale) {
    using nests = few_loops<lowerings::element_t<T>, Arch>;
    if (const auto run = nests::find(inputs, how.groups[0], how.groups[1])) {
        run(rows.rows, from, out, scale);
        return;
    }
    lowerings::run_recipe<T, Arch, kernel::all_steps>(how, rows, inputs, from, out, scale, nullptr);
}

}  // namespace xeinsum::detail
