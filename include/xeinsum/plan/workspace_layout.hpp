// Where intermediates live: in "ij,jk,kl,lm->im" the second intermediate may not share memory with
// the first, which it is made from, but the third may.
#pragma once

#include <xeinsum/equation/error.hpp>
#include <xeinsum/plan/step/alignment.hpp>
#include <xeinsum/plan/step/step.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace xeinsum::planning {

/// Gives every intermediate the lowest offset that no array alive at the same time overlaps, and
/// puts the scratch memory, which all steps share, behind them. Fails with extent_overflow where a
/// size in bytes does not fit.
template <class Storage>
[[gnu::cold]] constexpr void lay_out_workspace(basic_plan_data<Storage>& data,
                                               std::size_t element_bytes) {
    struct block {
        std::size_t begin;
        std::size_t end;
        array_id id;
        bool shared;  // by all slices
    };
    typename Storage::template list<block> alive;  // sorted by begin
    std::size_t top = 0;
    std::size_t scratch = 0;
    for (const step& s : data.steps) {
        scratch = std::max(scratch, s.how.memory_bytes());
        if (s.output != result_array) {
            plan_array& a = data.arrays[static_cast<std::size_t>(s.output + std::int64_t{1})];
            if (a.elements > std::numeric_limits<std::int64_t>::max() / 16 /
                                 static_cast<std::int64_t>(element_bytes)) {
                data.error.code = error_code::extent_overflow;
                return;
            }
            const std::size_t bytes =
                align_up(static_cast<std::size_t>(a.elements) * element_bytes);
            std::size_t at = 0;
            a.offset = 0;
            while (at < alive.size() && alive[at].begin < a.offset + bytes) {
                a.offset = alive[at].end;
                ++at;
            }
            if (a.offset > std::numeric_limits<std::int64_t>::max() - bytes) {
                data.error.code = error_code::extent_overflow;
                return;
            }
            alive.push_back({});
            for (std::size_t i = alive.size() - 1; i > at; --i) {
                alive[i] = alive[i - 1];
            }
            alive[at] = {a.offset, a.offset + bytes, s.output, s.same_in_all_slices};
            top = std::max(top, a.offset + bytes);
        }
        // What the step has read is free for the steps after it, unless the next slice reads it.
        std::size_t kept = 0;
        for (std::size_t i = 0; i < alive.size(); ++i) {
            const auto inputs = data.view().inputs_of(s);
            if (std::find(inputs.begin(), inputs.end(), alive[i].id) == inputs.end() ||
                (alive[i].shared && !s.same_in_all_slices)) {
                alive[kept++] = alive[i];
            }
        }
        alive.resize(kept);
    }
    data.scratch_offset = top;
    data.slices_offset = top + align_up(scratch);
    data.workspace_bytes =
        data.slices_offset +
        (data.slices.size() == 0 ? 0 : align_up(data.operand_count * sizeof(const void*)));
}

}  // namespace xeinsum::planning
