// A few loops around a few multiplications, nothing else: "bij,ij->b" at extents 2 to 5 is over
// before a general loop nest has set itself up. So is "i,i->", whatever its length.
#pragma once

#include <xeinsum/kernel/reduce/nest_shapes.hpp>
#include <xeinsum/kernel/reduce/sum_lines.hpp>
#include <xeinsum/kernel/scaling.hpp>
#include <xeinsum/kernel/simd/element.hpp>
#include <xeinsum/kernel/simd/simd.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace xeinsum::kernel {

/// Outputs loops over results around Sums loops over terms, in rows as loops has them, Inputs + 3
/// numbers apart. Terms are added in order, as multiply_reduce without vectors adds them; more than
/// few_terms of one loop, which lie side by side in two inputs, as it adds them with vectors.
template <class T, class Arch, std::size_t Inputs, std::size_t Outputs, std::size_t Sums>
class small_nest {
public:
    using compute = compute_t<T>;

    [[gnu::always_inline]] static inline void run(const std::int64_t* rows, const T* const* from,
                                                  T* out, const scaling<T>& scale) {
        if constexpr (is_line) {
            if (rows[0] > few_terms) {
                scale.template put<Arch>(*out, dot<T, Arch>(from[0], from[1], rows[0]));
                return;
            }
        }
        std::array<const T*, Inputs> at;
        for (std::size_t i = 0; i < Inputs; ++i) {
            at[i] = from[i];
        }
        put<0>(rows, at, out, scale);
    }

private:
    static constexpr std::size_t pitch = Inputs + 3;
    static constexpr bool is_line = Inputs == 2 && Outputs == 0 && Sums == 1 &&
                                    std::is_same_v<T, compute> && has_vectors<T, Arch>();
    using places = std::array<const T*, Inputs>;

    [[gnu::always_inline]] static inline void step(places& at, const std::int64_t* row) {
        for (std::size_t i = 0; i < Inputs; ++i) {
            at[i] += row[2 + i];
        }
    }

    template <std::size_t M>
    [[gnu::always_inline]] static inline void put(const std::int64_t* rows, places at, T* out,
                                                  const scaling<T>& scale) {
        if constexpr (M == Outputs) {
            compute total(0);
            if constexpr (Sums == 0) {
                total = product<Inputs>(at);
            } else {
                add<0>(rows + Outputs * pitch, at, total);
            }
            scale.template put<Arch>(*out, total);
        } else {
            const std::int64_t* row = rows + M * pitch;
            for (std::int64_t n = row[0]; n > 0; --n) {
                put<M + 1>(rows, at, out, scale);
                step(at, row);
                out += row[1];
            }
        }
    }

    template <std::size_t M>
    [[gnu::always_inline]] static inline void add(const std::int64_t* rows, places at,
                                                  compute& total) {
        if constexpr (M == Sums) {
            const auto last = static_cast<compute>(*at[Inputs - 1]);
            if constexpr (Inputs == 1) {
                total = total + last;
            } else {
                total = scalar_mul_add<Arch>(product<Inputs - 1>(at), last, total);
            }
        } else {
            const std::int64_t* row = rows + M * pitch;
            for (std::int64_t n = row[0]; n > 0; --n) {
                add<M + 1>(rows, at, total);
                step(at, row);
            }
        }
    }

    /// The product of the first Count inputs.
    template <std::size_t Count>
    [[nodiscard, gnu::always_inline]] static inline compute product(const places& at) {
        auto result = static_cast<compute>(*at[0]);
        for (std::size_t i = 1; i < Count; ++i) {
            result = scalar_mul(result, static_cast<compute>(*at[i]));
        }
        return result;
    }
};

}  // namespace xeinsum::kernel
