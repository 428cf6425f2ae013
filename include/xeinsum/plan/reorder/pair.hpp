// A pair as steps of a plan, with copies in another order where these are predicted to pay: for
// "deac,bca->deb" the steps bca->acb and deac,acb->deb.
#pragma once

#include <xeinsum/equation/network.hpp>
#include <xeinsum/plan/options.hpp>
#include <xeinsum/plan/reorder/hints.hpp>
#include <xeinsum/plan/reorder/reordering.hpp>
#include <xeinsum/plan/step/mode_table.hpp>
#include <xeinsum/plan/step/step.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace xeinsum::planning {

/// Emits the last pair of a plan, of arrays that have no label which the other one and the result
/// lack.
template <class Emitter>
using pair_emitter = void (*)(Emitter&, array_id lhs, array_id rhs);

/// Emits it of arrays as they lie.
template <class Emitter>
constexpr void emit_plain_pair(Emitter& emitter, array_id lhs, array_id rhs) {
    emitter.last_pair(lhs, rhs);
}

/// Emits it with copies, or without.
template <class Emitter>
class reordered_pair {
public:
    /// Neither array has a label that the other and the result lack.
    constexpr reordered_pair(Emitter& emitter, array_id lhs, array_id rhs) noexcept
        : emitter_(emitter), lhs_(lhs), rhs_(rhs) {}

    /// Contracts the two into the result.
    [[gnu::cold]] constexpr void emit() {
        const auto start = emitter_.mark();
        emit_plain_pair(emitter_, lhs_, rhs_);
        if (emitter_.failed() || emitter_.wanted().lowering != lowering::automatic ||
            !may_reorder(emitter_.table_of(start.steps), emitter_.on())) {
            return;
        }
        const bool may_slice = emitter_.data.slices.empty();
        std::size_t best = arrays;
        label_slices best_slices;
        double least = emitter_.seconds_since(start.steps) *
                       (is_transposed_sum(start.steps) ? worth_it_of_tiles : worth_it);
        reordering r({emitter_.term(result_array), emitter_.term(lhs_), emitter_.term(rhs_)},
                     {emitter_.data.extents.data(), emitter_.data.extents.size()});
        const double largest = std::max({r.elements(0), r.elements(1), r.elements(2)});
        for (std::size_t lead = 0; lead < arrays; ++lead) {
            if (r.elements(lead) < reorder_lead * largest || !r.around(lead)) {
                continue;
            }
            const label_slices slices = may_slice ? slices_of(r, start.steps) : label_slices{};
            emitter_.rewind(start);
            emit_around(r, slices);
            const double seconds =
                emitter_.seconds_since(start.steps) * static_cast<double>(slices.count);
            if (!emitter_.failed() && fits(start.steps) && seconds < least) {
                least = seconds;
                best = lead;
                best_slices = slices;
            }
            emitter_.data.error = {};
            if (slices.count > 1) {
                emitter_.unslice();
            }
        }
        emitter_.rewind(start);
        if (best != arrays && r.around(best)) {
            emit_around(r, best_slices);
            for (std::size_t i = 0; best_slices.count > 1 && i < start.steps; ++i) {
                emitter_.data.steps[i].same_in_all_slices = true;
            }
        } else {
            emit_plain_pair(emitter_, lhs_, rhs_);
        }
    }

private:
    static constexpr std::size_t arrays = 3;
    /// Elements that slices leave side by side: some cache lines.
    static constexpr std::int64_t least_stretch = 64;
    /// Slices have to divide an extent: so many times as many as there need be are searched.
    static constexpr std::int64_t unneeded_slices = 16;
    /// Bytes of copies that stay in a near cache until they are read.
    static constexpr double near_bytes = 1 << 19;
    /// What copies have to save: predictions are not that good.
    static constexpr double worth_it = 0.95;
    /// The same beside sums in transposed tiles, which take longer than predicted: terms are short
    /// lines there.
    static constexpr double worth_it_of_tiles = 1.1;

    [[nodiscard, gnu::cold]] constexpr bool is_transposed_sum(std::size_t i) const noexcept {
        const mode_table& t = emitter_.table_of(i);
        return emitter_.data.steps[i].how.nest.transposed && t.output_count() > 0 &&
               t.output_count() < t.size();
    }

    [[gnu::cold]] constexpr void emit_around(const reordering& r, const label_slices& slices) {
        if (slices.count > 1) {
            emitter_.slice(std::array{slices});
        }
        const array_id lhs = r.copies(1) ? emitter_.reorder(lhs_, r.order(1)) : lhs_;
        const array_id rhs = r.copies(2) ? emitter_.reorder(rhs_, r.order(2)) : rhs_;
        if (r.copies(0)) {
            emitter_.reorder_last(emitter_.pair(lhs, rhs, r.order(0)));
        } else {
            emit_plain_pair(emitter_, lhs, rhs);
        }
    }

    /// Slices of the outermost label that cuts all copies into such as stay in a near cache, where
    /// there are larger ones. Matrix products have none: they use what they have packed often.
    /// Steps before the given one sum labels of an operand: what they read is not cut.
    [[nodiscard, gnu::cold]] constexpr label_slices slices_of(const reordering& r,
                                                              std::size_t steps) const noexcept {
        double bytes = 0;
        for (std::size_t array = 0; array < arrays; ++array) {
            bytes += r.copies(array) ? r.elements(array) : 0;
        }
        bytes *= static_cast<double>(emitter_.on().element_bytes);
        if (r.is_product() || bytes <= near_bytes) {
            return {};
        }
        const auto least = static_cast<std::int64_t>(bytes / near_bytes) + 1;
        for (const label l : r.labels()) {
            const std::int64_t extent = emitter_.extent(l);
            const std::int64_t most = r.cuts_copies(l) && !is_read(l, steps)
                                          ? std::min(extent, least * unneeded_slices)
                                          : 0;
            for (std::int64_t count = least; count <= most; ++count) {
                if (extent % count == 0 && extent / count * r.least_stride(l) >= least_stretch) {
                    return {l, extent / count, count, true};
                }
            }
        }
        return {};
    }

    /// Whether some of the first steps read an array with this label.
    [[nodiscard, gnu::cold]] constexpr bool is_read(label l, std::size_t steps) const noexcept {
        for (std::size_t i = 0; i < steps; ++i) {
            for (const array_id id : emitter_.data.view().inputs_of(emitter_.data.steps[i])) {
                if (emitter_.term(id).holds(l)) {
                    return true;
                }
            }
        }
        return false;
    }

    /// Whether the copies and scratch of the steps from the given one on are as small as promised.
    [[nodiscard, gnu::cold]] constexpr bool fits(std::size_t first_step) const noexcept {
        std::size_t copies = 0;
        std::size_t scratch = 0;
        for (std::size_t i = first_step; i < emitter_.data.steps.size(); ++i) {
            const step& s = emitter_.data.steps[i];
            scratch = std::max(scratch, s.how.scratch_bytes);
            if (s.output != result_array) {
                const std::int64_t elements = emitter_.data.view().array(s.output).elements;
                copies += static_cast<std::size_t>(elements) * emitter_.on().element_bytes;
            }
        }
        return copies + scratch <= reorder_bytes;
    }

    Emitter& emitter_;
    array_id lhs_;
    array_id rhs_;
};

template <class Emitter>
[[gnu::cold]] constexpr void emit_reordered(Emitter& emitter, array_id lhs, array_id rhs) {
    reordered_pair(emitter, lhs, rhs).emit();
}

}  // namespace xeinsum::planning
