// One loop nest over any number of inputs: "bld,bln,bld->bldn" multiplies three arrays and
// "ij,ij->i" sums products, and no product is ever stored.
#pragma once

#include <xeinsum/kernel/element.hpp>
#include <xeinsum/kernel/loop_nest.hpp>
#include <xeinsum/kernel/scaling.hpp>
#include <xeinsum/kernel/simd.hpp>

#include <cstddef>
#include <cstdint>

namespace xeinsum::kernel {

/// Inputs that multiply_reduce counts through without scratch memory.
inline constexpr std::size_t few_inputs = 4;

/// Bytes of scratch memory that multiply_reduce needs for a number of inputs.
[[nodiscard]] constexpr std::size_t multiply_reduce_scratch_bytes(std::size_t inputs) noexcept {
    return inputs <= few_inputs ? 0 : 4 * inputs * sizeof(std::int64_t);
}

/// Offsets of every input while the loops run, in scratch memory.
struct input_offsets {
    std::int64_t* output_level;      ///< of the current output element
    std::int64_t* contracted_level;  ///< of the current term of its sum
    std::size_t* order;              ///< inputs: side by side, then in place, then gathered
    std::int64_t* steps;             ///< along the vector loop, in that order
};

/// Numbers of inputs by how they lie along the vector loop; Any leaves a number to the run.
inline constexpr std::size_t any = static_cast<std::size_t>(-1);

template <class T, class Arch>
class multiply_reduce_kernel {
public:
    using compute = compute_t<T>;

    multiply_reduce_kernel(const loop_nest& nest, const T* const* inputs, T* out,
                           const scaling<T>& scale, std::int64_t* cells)
        : nest_(nest), inputs_(inputs), out_(out), scale_(scale) {
        at_ = {cells, cells + nest.inputs, reinterpret_cast<std::size_t*>(cells + 2 * nest.inputs),
               cells + 3 * nest.inputs};
        for (std::size_t i = 0; i < nest.inputs; ++i) {
            at_.output_level[i] = 0;
        }
    }

    void run(vector_loop along) {
        if constexpr (vectors) {
            if (along != vector_loop::none) {
                run_vectors(along);
                return;
            }
        }
        run_scalars();
    }

private:
    static constexpr bool vectors = std::is_same_v<T, compute> && has_vectors<T, Arch>();
    using simd_type = simd<compute, Arch, vectors>;
    using reg = typename simd_type::type;
    static constexpr std::size_t lanes = simd_type::lanes;
    static constexpr std::size_t unroll = 4;

    // --- counting ---------------------------------------------------------------------------

    /// Steps the offsets of all inputs to the next iteration of some loops; out too if it is given.
    bool advance(const loops& over, std::int64_t* index, std::int64_t* offsets,
                 std::int64_t* out) const {
        for (std::size_t m = over.count; m-- > 0;) {
            const bool wraps = ++index[m] == over.extent(m);
            const std::int64_t factor = wraps ? 1 - over.extent(m) : 1;
            index[m] = wraps ? 0 : index[m];
            for (std::size_t i = 0; i < nest_.inputs; ++i) {
                offsets[i] += factor * over.stride(m, 1 + i);
            }
            if (out != nullptr) {
                *out += factor * over.stride(m, 0);
            }
            if (!wraps) {
                return true;
            }
        }
        return false;
    }

    /// Calls body(out offset) for each iteration of the output loops, at_.output_level following.
    template <class Body>
    void for_each_output(const loops& over, Body body) {
        std::int64_t index[max_loops]{};
        std::int64_t out = 0;
        do {
            body(out);
        } while (advance(over, index, at_.output_level, &out));
    }

    /// Calls body() for each iteration of contracted loops, at_.contracted_level following.
    template <class Body>
    void for_each_term(const loops& over, Body body) {
        for (std::size_t i = 0; i < nest_.inputs; ++i) {
            at_.contracted_level[i] = at_.output_level[i];
        }
        if (over.count == 0) {
            body();
            return;
        }
        std::int64_t index[max_loops];
        for (std::size_t m = 0; m < over.count; ++m) {
            index[m] = 0;
        }
        do {
            body();
        } while (advance(over, index, at_.contracted_level, nullptr));
    }

    // --- scalars ----------------------------------------------------------------------------

    [[nodiscard]] compute value(std::size_t input, std::int64_t offset) const {
        return static_cast<compute>(inputs_[input][offset]);
    }

    void run_scalars() {
        const bool sums = nest_.contracted.count > 0;
        const loops outer = sums ? nest_.contracted.first(nest_.contracted.count - 1) : loops{};
        for_each_output(nest_.output, [&](std::int64_t out) {
            compute total(0);
            if (!sums) {
                total = product_at(at_.output_level);
            } else {
                for_each_term(outer, [&] { total = add_line(total); });
            }
            scale_.template put<Arch>(out_[out], total);
        });
    }

    [[nodiscard]] compute product_at(const std::int64_t* offsets) const {
        compute product = value(0, offsets[0]);
        for (std::size_t i = 1; i < nest_.inputs; ++i) {
            product = scalar_mul(product, value(i, offsets[i]));
        }
        return product;
    }

    /// Adds the terms along the last contracted loop.
    [[nodiscard]] compute add_line(compute total) const {
        const std::size_t last = nest_.contracted.count - 1;
        const std::int64_t extent = nest_.contracted.extent(last);
        if (nest_.inputs == 1) {
            const std::int64_t step = nest_.contracted.stride(last, 1);
            for (std::int64_t r = 0; r < extent; ++r) {
                total = total + value(0, at_.contracted_level[0] + r * step);
            }
            return total;
        }
        for (std::int64_t r = 0; r < extent; ++r) {
            compute product =
                value(0, at_.contracted_level[0] + r * nest_.contracted.stride(last, 1));
            for (std::size_t i = 1; i + 1 < nest_.inputs; ++i) {
                product = scalar_mul(
                    product,
                    value(i, at_.contracted_level[i] + r * nest_.contracted.stride(last, 1 + i)));
            }
            const std::size_t end = nest_.inputs - 1;
            total = scalar_mul_add<Arch>(
                product,
                value(end, at_.contracted_level[end] + r * nest_.contracted.stride(last, 1 + end)),
                total);
        }
        return total;
    }

    // --- vectors ----------------------------------------------------------------------------

    void run_vectors(vector_loop along) {
        const loops& kind = along == vector_loop::output ? nest_.output : nest_.contracted;
        const std::size_t last = kind.count - 1;
        std::size_t units = 0;
        std::size_t fixed = 0;
        const auto lies = [&](std::size_t i) { return kind.stride(last, 1 + i); };
        const auto collect = [&](std::size_t& filled, auto wanted) {
            const std::size_t before = filled;
            for (std::size_t i = 0; i < nest_.inputs; ++i) {
                if (wanted(lies(i))) {
                    at_.order[filled] = i;
                    at_.steps[filled++] = lies(i);
                }
            }
            return filled - before;
        };
        std::size_t filled = 0;
        units = collect(filled, [](std::int64_t s) { return s == 1; });
        fixed = collect(filled, [](std::int64_t s) { return s == 0; });
        const std::size_t gathered =
            collect(filled, [](std::int64_t s) { return s != 0 && s != 1; });
        if (nest_.inputs == 1 && units == 1) {
            dispatch<1, 0, 0>(along);
        } else if (nest_.inputs == 2 && units == 2) {
            dispatch<2, 0, 0>(along);
        } else if (nest_.inputs == 2 && units == 1 && fixed == 1) {
            dispatch<1, 1, 0>(along);
        } else {
            units_ = units;
            fixed_ = fixed;
            gathered_ = gathered;
            dispatch<any, any, any>(along);
        }
    }

    template <std::size_t Units, std::size_t Fixed, std::size_t Gathered>
    void dispatch(vector_loop along) {
        if (along == vector_loop::output) {
            along_output<Units, Fixed, Gathered>();
        } else {
            along_contracted<Units, Fixed, Gathered>();
        }
    }

    template <std::size_t Units, std::size_t Fixed, std::size_t Gathered>
    struct counts {
        const multiply_reduce_kernel& k;
        [[nodiscard]] std::size_t units() const { return Units == any ? k.units_ : Units; }
        [[nodiscard]] std::size_t fixed() const { return Fixed == any ? k.fixed_ : Fixed; }
        [[nodiscard]] std::size_t gathered() const {
            return Gathered == any ? k.gathered_ : Gathered;
        }
    };

    [[nodiscard]] reg gather(std::size_t slot, std::int64_t offset, std::size_t count) const {
        compute lane[lanes]{};
        const T* from = inputs_[at_.order[slot]] + offset;
        for (std::size_t l = 0; l < count; ++l) {
            lane[l] = from[static_cast<std::int64_t>(l) * at_.steps[slot]];
        }
        return simd_type::load(lane);
    }

    /// The product of the inputs that do not change along the vector loop, times acc or alone.
    template <class Counts>
    [[nodiscard]] compute fixed_product(const Counts& n, const std::int64_t* offsets,
                                        std::int64_t r, const loops& inner) const {
        compute product(1);
        for (std::size_t f = 0; f < n.fixed(); ++f) {
            const std::size_t i = at_.order[n.units() + f];
            const compute x = value(i, offsets[i] + along_inner(inner, i, r));
            product = f == 0 ? x : scalar_mul(product, x);
        }
        return product;
    }

    [[nodiscard]] static std::int64_t along_inner(const loops& inner, std::size_t input,
                                                  std::int64_t r) {
        return inner.count == 0 ? 0 : r * inner.stride(0, 1 + input);
    }

    /// Lanes x .. x + count - 1 of the product of all inputs that change along the vector loop but
    /// the last side-by-side one, which the caller multiplies in.
    template <class Counts>
    [[nodiscard]] reg varying_product(const Counts& n, const std::int64_t* offsets, std::int64_t r,
                                      const loops& inner, std::int64_t x, std::size_t count) const {
        reg product = unit_lanes(0, offsets, r, inner, x, count);
        for (std::size_t u = 1; u < n.units(); ++u) {
            product = simd_type::mul(product, unit_lanes(u, offsets, r, inner, x, count));
        }
        for (std::size_t g = 0; g < n.gathered(); ++g) {
            const std::size_t slot = n.units() + n.fixed() + g;
            const std::size_t i = at_.order[slot];
            product = simd_type::mul(
                product,
                gather(slot, offsets[i] + along_inner(inner, i, r) + x * at_.steps[slot], count));
        }
        return product;
    }

    [[nodiscard]] reg unit_lanes(std::size_t slot, const std::int64_t* offsets, std::int64_t r,
                                 const loops& inner, std::int64_t x, std::size_t count) const {
        const std::size_t i = at_.order[slot];
        const T* from = inputs_[i] + offsets[i] + along_inner(inner, i, r) + x;
        return count == lanes ? simd_type::load(from) : simd_type::load_part(from, count);
    }

    /// acc + the product of all inputs.
    template <class Counts>
    [[nodiscard]] reg add_product(const Counts& n, const std::int64_t* offsets, std::int64_t r,
                                  const loops& inner, std::int64_t x, std::size_t count,
                                  const reg& factor, const reg& acc) const {
        if (n.fixed() > 0) {
            return simd_type::mul_add(varying_product(n, offsets, r, inner, x, count), factor, acc);
        }
        if (n.units() == 2 && n.gathered() == 0) {
            return simd_type::mul_add(unit_lanes(0, offsets, r, inner, x, count),
                                      unit_lanes(1, offsets, r, inner, x, count), acc);
        }
        return simd_type::add(acc, varying_product(n, offsets, r, inner, x, count));
    }

    template <std::size_t Units, std::size_t Fixed, std::size_t Gathered>
    void along_output() {
        const counts<Units, Fixed, Gathered> n{*this};
        const std::size_t last = nest_.output.count - 1;
        const std::int64_t extent = nest_.output.extent(last);
        constexpr auto width = static_cast<std::int64_t>(lanes);
        for_each_output(nest_.output.first(last), [&](std::int64_t out) {
            std::int64_t x = 0;
            for (; x + static_cast<std::int64_t>(unroll) * width <= extent;
                 x += static_cast<std::int64_t>(unroll) * width) {
                tile<unroll>(n, x, lanes, out_ + out + x);
            }
            for (; x + width <= extent; x += width) {
                tile<1>(n, x, lanes, out_ + out + x);
            }
            if (x < extent) {
                tile<1>(n, x, static_cast<std::size_t>(extent - x), out_ + out + x);
            }
        });
    }

    /// Tiles registers of neighbouring results, each with its whole sum.
    template <std::size_t Tiles, class Counts>
    void tile(const Counts& n, std::int64_t x, std::size_t count, T* out) {
        constexpr auto width = static_cast<std::int64_t>(lanes);
        const loops& all = nest_.contracted;
        reg acc[Tiles];
        if (all.count == 0) {
            const compute factor = fixed_product(n, at_.output_level, 0, {});
            for (std::size_t t = 0; t < Tiles; ++t) {
                acc[t] = varying_product(n, at_.output_level, 0, {},
                                         x + static_cast<std::int64_t>(t) * width, count);
                acc[t] = n.fixed() > 0 ? simd_type::mul(acc[t], simd_type::set(factor)) : acc[t];
            }
        } else {
            for (std::size_t t = 0; t < Tiles; ++t) {
                acc[t] = simd_type::zero();
            }
            const loops inner = all.from(all.count - 1);
            for_each_term(all.first(all.count - 1), [&] {
                for (std::int64_t r = 0; r < inner.extent(0); ++r) {
                    const reg factor =
                        simd_type::set(fixed_product(n, at_.contracted_level, r, inner));
                    for (std::size_t t = 0; t < Tiles; ++t) {
                        acc[t] = add_product(n, at_.contracted_level, r, inner,
                                             x + static_cast<std::int64_t>(t) * width, count,
                                             factor, acc[t]);
                    }
                }
            });
        }
        for (std::size_t t = 0; t < Tiles; ++t) {
            if (count == lanes) {
                scale_.template put_register<simd_type>(out + t * lanes, acc[t]);
            } else {
                scale_.template put_part<simd_type>(out + t * lanes, acc[t], count);
            }
        }
    }

    template <std::size_t Units, std::size_t Fixed, std::size_t Gathered>
    void along_contracted() {
        const counts<Units, Fixed, Gathered> n{*this};
        const std::size_t last = nest_.contracted.count - 1;
        const std::int64_t extent = nest_.contracted.extent(last);
        constexpr auto width = static_cast<std::int64_t>(lanes);
        for_each_output(nest_.output, [&](std::int64_t out) {
            reg acc[unroll];
            for (reg& a : acc) {
                a = simd_type::zero();
            }
            for_each_term(nest_.contracted.first(last), [&] {
                const std::int64_t* offsets = at_.contracted_level;
                const reg factor = simd_type::set(fixed_product(n, offsets, 0, {}));
                std::int64_t x = 0;
                for (; x + static_cast<std::int64_t>(unroll) * width <= extent;
                     x += static_cast<std::int64_t>(unroll) * width) {
                    for (std::size_t t = 0; t < unroll; ++t) {
                        acc[t] =
                            add_product(n, offsets, 0, {}, x + static_cast<std::int64_t>(t) * width,
                                        lanes, factor, acc[t]);
                    }
                }
                for (; x + width <= extent; x += width) {
                    acc[0] = add_product(n, offsets, 0, {}, x, lanes, factor, acc[0]);
                }
                if (x < extent) {
                    // Lanes beyond the end must add nothing: 0 * Inf would be NaN.
                    const auto count = static_cast<std::size_t>(extent - x);
                    acc[1] = simd_type::add(acc[1], part_of_line(n, offsets, x, count));
                }
            });
            const reg total =
                simd_type::add(simd_type::add(acc[0], acc[1]), simd_type::add(acc[2], acc[3]));
            scale_.template put<Arch>(out_[out], simd_type::sum(total));
        });
    }

    /// The last count products of a line, the other lanes 0.
    template <class Counts>
    [[nodiscard]] reg part_of_line(const Counts& n, const std::int64_t* offsets, std::int64_t x,
                                   std::size_t count) const {
        compute lane[lanes]{};
        for (std::size_t l = 0; l < count; ++l) {
            compute product = fixed_product(n, offsets, 0, {});
            for (std::size_t slot = 0; slot < nest_.inputs; ++slot) {
                if (at_.steps[slot] != 0) {
                    const std::size_t i = at_.order[slot];
                    const compute v =
                        value(i, offsets[i] + (x + static_cast<std::int64_t>(l)) * at_.steps[slot]);
                    product = slot == 0 && n.fixed() == 0 ? v : scalar_mul(product, v);
                }
            }
            lane[l] = product;
        }
        return simd_type::load(lane);
    }

    loop_nest nest_;
    const T* const* inputs_;
    T* out_;
    scaling<T> scale_;
    input_offsets at_{};
    std::size_t units_ = 0;
    std::size_t fixed_ = 0;
    std::size_t gathered_ = 0;
};

/// out = scale(sum over the contracted loops of the product of the inputs). The loops are in the
/// order that arrange() gave them, with its answer in along. No array overlaps out. Scratch has
/// multiply_reduce_scratch_bytes(nest.inputs) bytes, aligned for std::int64_t.
template <class T, class Arch>
void multiply_reduce(const loop_nest& nest, vector_loop along, const T* const* inputs, T* out,
                     const scaling<T>& scale, std::byte* scratch) {
    std::int64_t few[4 * few_inputs];
    auto* cells = nest.inputs <= few_inputs ? few : reinterpret_cast<std::int64_t*>(scratch);
    multiply_reduce_kernel<T, Arch>(nest, inputs, out, scale, cells).run(along);
}

}  // namespace xeinsum::kernel
