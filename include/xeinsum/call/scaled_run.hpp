// Runs of plans whose results lie beyond the range of their type: the intermediate of "i,ij,jk->k"
// is divided by a power of two as soon as it is large or small, and the power is told.
#pragma once

#include <xeinsum/call/run_steps.hpp>
#include <xeinsum/call/scale.hpp>
#include <xeinsum/equation/list_view.hpp>
#include <xeinsum/kernel/simd/numbers.hpp>
#include <xeinsum/plan/parallel_for.hpp>
#include <xeinsum/plan/step/step.hpp>
#include <xeinsum/run/rebind.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace xeinsum::detail {

/// Elements that a power of two scales without rounding.
template <class T>
concept scalable = std::floating_point<kernel::real_of_t<T>>;

/// What an array was divided by: 2^exponent. Of zeros, zero tells.
struct taken_scale {
    std::int64_t exponent = 0;
    bool zero = false;

    /// The scale of a product with an array that was divided, too.
    void add(const taken_scale& more) noexcept {
        exponent += more.exponent;
        zero = zero || more.zero;
    }
};

/// Divides elements by the power of two that brings the largest to between 1/2 and 1, unless it is
/// not far from there, nor finite. What is not subnormal is not rounded.
template <class T>
taken_scale take_scale(T* elements, std::int64_t count) {
    using real = kernel::real_of_t<T>;
    constexpr std::int64_t parts = sizeof(T) / sizeof(real);
    // The parts of complex numbers are an array.
    auto* const numbers = reinterpret_cast<real*>(elements);
    // Several at once: a maximum waits for the one before it.
    std::array<real, 16> largest{};
    const auto compare = [&](std::int64_t i, std::size_t lane) {
        const real size = std::abs(numbers[i]);
        largest[lane] = largest[lane] < size ? size : largest[lane];  // not NaN
    };
    const std::int64_t end = parts * count;
    std::int64_t i = 0;
    for (; end - i >= static_cast<std::int64_t>(largest.size());
         i += static_cast<std::int64_t>(largest.size())) {
        for (std::size_t lane = 0; lane < largest.size(); ++lane) {
            compare(i + static_cast<std::int64_t>(lane), lane);
        }
    }
    for (; i < end; ++i) {
        compare(i, 0);
    }
    const real most = *std::max_element(largest.begin(), largest.end());
    // Products of two such numbers, summed, are in range.
    constexpr int near = std::numeric_limits<real>::max_exponent / 8;
    int exponent = 0;
    static_cast<void>(std::frexp(most, &exponent));
    if (most == 0 || !std::isfinite(most) || (-near <= exponent && exponent <= near)) {
        return {0, most == 0};
    }
    // One power of two may itself be out of range.
    const auto half = std::ldexp(real(1), -exponent / 2);
    const auto rest = std::ldexp(real(1), -exponent - (-exponent / 2));
    for (std::int64_t n = 0; n < end; ++n) {
        numbers[n] = numbers[n] * half * rest;
    }
    return {exponent, false};
}

/// One run, step by step.
template <class T, class Arch>
class scaled_run {
public:
    using scaling = kernel::scaling<lowerings::element_t<T>>;

    /// All arguments are those of detail::run.
    scaled_run(const plan_view& plan, const T* const* operands, const destination<T>& out,
               std::byte* memory, const parallel_for& parallel,
               const lowerings::actual_layouts* lies, const T* const* known)
        : plan_(plan),
          operands_(operands),
          out_(out),
          memory_(memory),
          parallel_(parallel),
          lies_(lies),
          known_(known) {}

    /// The exponent e of out * 2^e.
    [[nodiscard]] std::int64_t run() {
        if (plan_.sums_nothing) {
            run_part(plan_, scaling());
            return 0;
        }
        const std::int64_t slices = plan_.slice_count();
        for (std::int64_t slice = 0; slice < slices; ++slice) {
            run_slice(slice);
        }
        return exponent_;
    }

private:
    void run_slice(std::int64_t slice) {
        taken_scale taken = shared_;
        for (std::size_t s = 0; s < plan_.steps.size(); ++s) {
            const step& each = plan_.steps[s];
            if (slice > 0 && each.same_in_all_slices) {
                continue;
            }
            plan_view one = plan_;
            one.steps = plan_.steps.subspan(s, 1);
            one.only_slice = plan_.slices.empty() ? -1 : slice;
            if (each.output == result_array) {
                run_part(one, scaling_of(part_of_result(taken), 0));
                continue;
            }
            run_part(one, scaling());
            const plan_array& array = plan_.array(each.output);
            const taken_scale more =
                take_scale(reinterpret_cast<T*>(memory_ + array.offset), array.elements);
            taken.add(more);
            if (each.same_in_all_slices) {
                shared_.add(more);
            }
        }
    }

    /// The exponent of what this slice has to be multiplied by, for the scale that the output has:
    /// the largest of all slices' until now.
    [[nodiscard]] std::int64_t part_of_result(const taken_scale& slice) {
        if (slice.zero) {
            return 0;
        }
        if (!written_ || slice.exponent > exponent_) {
            if (written_) {
                plan_view rescaled = plan_;
                rescaled.sums_nothing = true;
                run_part(rescaled, scaling_of(0, exponent_ - slice.exponent, true));
            }
            exponent_ = slice.exponent;
            written_ = true;
        }
        return slice.exponent - exponent_;
    }

    [[nodiscard]] static scaling scaling_of(std::int64_t alpha, std::int64_t beta,
                                            bool adds = false) {
        // Beyond these, nothing is left.
        const auto power = [](std::int64_t exponent) {
            return std::ldexp(1.0, static_cast<int>(std::max<std::int64_t>(exponent, -5000)));
        };
        return to_scaling<T>(scale{power(alpha), adds ? power(beta) : 0.0});
    }

    void run_part(const plan_view& part, const scaling& by) const {
        detail::run<T, Arch>(part, operands_, out_, by, memory_, nullptr, parallel_, lies_, known_);
    }

    const plan_view plan_;
    const T* const* const operands_;
    const destination<T> out_;
    std::byte* const memory_;
    const parallel_for parallel_;
    const lowerings::actual_layouts* const lies_;
    const T* const* const known_;
    taken_scale shared_{};  // from what is the same in all slices
    std::int64_t exponent_ = 0;
    bool written_ = false;  // whether the output holds more than zeros
};

}  // namespace xeinsum::detail
