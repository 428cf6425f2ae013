// The arrays of one random call at guard pages: both operands of "ij,jk->ik", and the output, in
// memory of its own or over an operand's, all of it known from before the call.
#pragma once

#include "guarded_memory.hpp"
#include "label_loops.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <span>
#include <vector>

namespace random_calls {

/// A part of guarded memory that begins or ends at a page that nobody may touch. On its other side
/// lies a margin, which nobody should touch.
class stretch {
public:
    stretch(const guarded_memory& slot, std::size_t bytes, bool at_end)
        : margin_(at_end ? slot.end() - bytes - margin_bytes : slot.begin() + bytes, margin_bytes),
          bytes_(at_end ? slot.end() - bytes : slot.begin(), bytes) {
        std::memset(margin_.data(), margin_value, margin_bytes);
    }

    [[nodiscard]] std::span<std::byte> bytes() const { return bytes_; }
    [[nodiscard]] bool margin_is_untouched() const {
        for (const std::byte b : margin_) {
            if (b != std::byte{margin_value}) {
                return false;
            }
        }
        return true;
    }

    /// Keeps what the memory holds now.
    void keep() { kept_.assign(bytes_.begin(), bytes_.end()); }
    [[nodiscard]] bool is_as_kept() const {
        return std::equal(kept_.begin(), kept_.end(), bytes_.begin());
    }
    void restore() const { std::copy(kept_.begin(), kept_.end(), bytes_.begin()); }
    /// What was kept of an element in this memory.
    template <class T>
    [[nodiscard]] T kept(const T* at) const {
        T value;
        std::memcpy(&value, kept_.data() + (reinterpret_cast<const std::byte*>(at) - bytes_.data()),
                    sizeof(T));
        return value;
    }

private:
    static constexpr std::size_t margin_bytes = 256;
    static constexpr int margin_value = 0x5A;

    std::span<std::byte> margin_;
    std::span<std::byte> bytes_;
    std::vector<std::byte> kept_{};
};

/// The memory that all cases share, one after the other.
struct guarded_slots {
    static constexpr std::size_t operand_bytes = std::size_t{32} << 20U;
    static constexpr std::size_t workspace_bytes = std::size_t{256} << 20U;

    std::array<guarded_memory, most_operands> operands{
        guarded_memory(operand_bytes), guarded_memory(operand_bytes), guarded_memory(operand_bytes),
        guarded_memory(operand_bytes), guarded_memory(operand_bytes)};
    guarded_memory output{operand_bytes};
    guarded_memory workspace{workspace_bytes};

    static const guarded_slots& shared() {
        static const guarded_slots slots;
        return slots;
    }
};

/// An array in memory of somebody else's.
template <class T>
struct placed_array {
    T* first = nullptr;
    shape extents{};
    strides lies{};
};

/// Where the arrays of a case lie. Elements are not written yet.
template <class T>
class case_memory {
public:
    case_memory(const random_case& c, const label_loops& loops) {
        random_source random(c.seed + 1);
        const guarded_slots& slots = guarded_slots::shared();
        const shape output_extents = loops.output_extents();
        output = {nullptr, output_extents, output_strides(random, output_extents)};
        stretches.reserve(c.terms.size() + 1);
        for (std::size_t i = 0; i < c.terms.size(); ++i) {
            const random_term& t = c.terms[i];
            operands.push_back({nullptr, t.extents, t.lies});
            if (c.overlapped != i) {
                place(operands.back(), slots.operands[i], random.chance(0.7));
            } else {
                place_over(random, operands.back(), slots.operands[i]);
            }
        }
        if (!c.overlapped) {
            place(output, slots.output, random.chance(0.7));
        }
    }

    std::vector<placed_array<T>> operands{};
    placed_array<T> output{};
    /// One for each operand, and one for the output unless it lies over an operand.
    std::vector<stretch> stretches{};

private:
    void place(placed_array<T>& a, const guarded_memory& slot, bool at_end) {
        const reach covers = reach_of(a.extents, a.lies);
        stretches.emplace_back(slot, static_cast<std::size_t>(covers.size()) * sizeof(T), at_end);
        a.first = reinterpret_cast<T*>(stretches.back().bytes().data()) - covers.begin;
    }

    /// The output where the operand is, in its gaps, or some elements before or behind.
    void place_over(random_source& random, placed_array<T>& operand, const guarded_memory& slot) {
        std::int64_t shift = 0;  // of the output's reach against the operand's
        const reach covers = reach_of(operand.extents, operand.lies);
        if (operand.extents == output.extents && random.chance(0.6) &&
            are_distinct(positions_of(operand.extents, operand.lies))) {
            output.lies = operand.lies;
            shift = random.chance(0.6) ? 0 : random.integer(-4, 4);
        } else {
            shift = random.integer(-reach_of(output.extents, output.lies).size(), covers.size());
        }
        const reach written = reach_of(output.extents, output.lies);
        const std::int64_t begin = std::min<std::int64_t>(0, shift);
        const std::int64_t end = std::max(covers.size(), shift + written.size());
        stretches.emplace_back(slot, static_cast<std::size_t>(end - begin) * sizeof(T),
                               random.chance(0.5));
        T* const memory = reinterpret_cast<T*>(stretches.back().bytes().data());
        operand.first = memory - begin - covers.begin;
        output.first = memory - begin + shift - written.begin;
    }
};

}  // namespace random_calls
