// Products without a sum: "bld,dn->bldn" writes each element of the output once, in vectors of n.
#pragma once

#include <xeinsum/kernel/cursors.hpp>
#include <xeinsum/kernel/loop_nest.hpp>
#include <xeinsum/kernel/memory/cache.hpp>
#include <xeinsum/kernel/memory/prefetch.hpp>
#include <xeinsum/kernel/reduce/output_line.hpp>
#include <xeinsum/kernel/reduce/product.hpp>
#include <xeinsum/kernel/simd/simd.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace xeinsum::kernel {

/// How lines of products reach an output: the same for any inputs.
template <class T, class Arch>
class product_output {
public:
    /// How rows go by non-temporal stores, if they do.
    enum class streaming : unsigned char {
        none,
        rows,     ///< each for itself
        together  ///< one after the other, by way of the first-level cache
    };

    /// They do where the arrays are large and the output is written in order and nothing but
    /// written.
    [[nodiscard, gnu::noinline]] static streaming streams(const output_line<T, Arch>& line,
                                                          const loop_nest& nest, const T* out) {
        const loops& output = nest.output;
        const std::int64_t extent = line.extent();
        const bool is_long = extent >= 32 * width;
        bool in_registers = extent % width == 0;
        bool dense = true;
        std::int64_t elements = 1;
        for (std::size_t m = output.count; m-- > 0;) {
            const std::int64_t stride = output.stride(m, 0);
            dense = dense && stride == elements;
            in_registers = in_registers && stride % width == (elements == 1 ? 1 % width : 0) &&
                           (is_long || stride == elements);
            elements *= output.extent(m);
        }
        if (!line.scale().is_identity() || !(dense || in_registers) ||
            elements * static_cast<std::int64_t>(1 + nest.inputs) < large) {
            return streaming::none;  // as of most
        }
        for (std::size_t array = 1; array <= nest.inputs; ++array) {
            elements += elements_of(output, array);
        }
        if (elements < large) {
            return streaming::none;
        }
        // Long rows that begin within lines have two ends that go another way.
        if (in_registers && (simd_type::can_stream(out) || simd_type::can_stream_parts(out) ||
                             (is_long && first_streamed(out) < line_elements<T>))) {
            return streaming::rows;
        }
        // Rows of one call, of whole registers where that pays.
        const std::int64_t rows = output.count > 1 ? output.extent(output.count - 2) : 1;
        const bool joins = extent < width || cores<Arch>::measured().joins_rows;
        return dense && joins && extent <= rows_together && rows * extent >= rows_together
                   ? streaming::together
                   : streaming::none;
    }

    /// Elements of rows that go together, at most.
    static constexpr auto rows_together = static_cast<std::int64_t>(4096 / sizeof(T));

    /// Elements before the first that a register can be streamed to; those of a line if there is
    /// none.
    [[nodiscard]] static std::size_t first_streamed(const T* out) noexcept {
        std::size_t before = 0;
        while (before < line_elements<T> && !simd_type::can_stream(out + before)) {
            ++before;
        }
        return before;
    }

    /// Whether lines are prefetched: those of a large output that are written through masks, and
    /// not in narrower registers, which no hardware prefetches.
    [[nodiscard]] static bool prefetches(const output_line<T, Arch>& line, const loop_nest& nest) {
        return simd_type::has_lane_masks && line.whole() == 0 &&
               !prefers_narrower<T, Arch>(line.extent()) && nest.output.iterations() >= large;
    }

private:
    using simd_type = simd<T, Arch>;
    static constexpr auto width = output_line<T, Arch>::width;
    static constexpr auto large = static_cast<std::int64_t>(streamed_bytes / sizeof(T));

    /// Elements of an array that loops step through.
    [[nodiscard, gnu::noinline]] static std::int64_t elements_of(const loops& over,
                                                                 std::size_t array) noexcept {
        std::int64_t elements = 1;
        for (std::size_t m = 0; m < over.count; ++m) {
            elements *= over.stride(m, array) != 0 ? over.extent(m) : 1;
        }
        return elements;
    }
};

/// Rows of an output, so many elements apart, that products are put to as they are, and a loop
/// around them, the planes.
template <class T>
struct product_rows {
    T* out;
    std::int64_t step;
    std::int64_t rows;
    loops planes;
    std::int64_t first = 0;  ///< of the rows, in the inputs
};

/// Registers begin to end - 1 of some rows of a term; or, of counted inputs, of terms of a row.
struct product_block {
    std::int64_t row;
    std::int64_t term;
    std::int64_t count;  ///< of either
    std::int64_t begin;
    std::int64_t end;
    bool of_terms = false;
    bool prefetches = false;  ///< what lies behind the rows
};

/// Lines of such products, row after row.
template <class T, class Arch, std::size_t Units, std::size_t Fixed>
class output_products {
public:
    using line = output_line<T, Arch>;
    using reg = typename line::reg;

    /// Writes registers, of any lines.
    static void write(const cursors<T>& inputs, const line& l, const product_block& b,
                      reg* values) {
        const product<T, Arch, Units, Fixed> f(inputs);
        if (b.prefetches) {
            f.prefetch_rows(b.row, b.count);
        }
        for (std::int64_t row = b.row; row < b.row + b.count; ++row) {
            const reg factor = simd<T, Arch>::set(f.factor(row, b.term));
            for (std::int64_t v = b.begin; v < b.end; ++v) {
                *values++ = f(row, b.term, l.start(v), l.filled(), factor);
            }
        }
    }

    /// Puts rows that are not scaled by non-temporal stores, where product_output::streams().
    static void stream(const cursors<T>& inputs, std::int64_t extent, const product_rows<T>& to) {
        using simd_type = simd<T, Arch>;
        if (simd_type::can_stream_parts(to.out) && !simd_type::can_stream(to.out)) {
            stream_lines<true>(inputs, extent, to);
        } else {
            stream_lines<false>(inputs, extent, to);
        }
    }

    /// Puts rows that are not scaled. Lines of few registers, which are all there is to do for a
    /// row, have a loop each, where nothing else is decided; very short ones in narrower registers.
    static void put(const cursors<T>& inputs, std::int64_t extent, const product_rows<T>& to) {
        put_suited<Arch>(inputs, extent, to);
    }

private:
    static constexpr std::size_t many = 5;

    /// Calls put(factors, first row) for each plane.
    template <class Suited, class Put>
    [[gnu::always_inline]] static void for_each_plane(const cursors<T>& inputs,
                                                      const product_rows<T>& to, Put put) {
        product<T, Suited, Units, Fixed> f(inputs);
        T* out = to.out;
        for (std::int64_t plane = to.planes.count == 0 ? 1 : to.planes.extent(0);;) {
            put(f, out);
            if (--plane == 0) {
                break;
            }
            f.step(to.planes);
            out += to.planes.stride(0, 0);
        }
    }

    /// Calls put(row, value) for each row of all planes: value(x) are its lanes from x on. Two rows
    /// in an iteration: one of few registers is over as soon as its pointers have moved.
    template <class Suited, class Put>
    [[gnu::always_inline]] static void for_each_row(const cursors<T>& inputs,
                                                    const product_rows<T>& to, Put put) {
        using simd_type = simd<T, Suited>;
        const std::int64_t step = to.step;
        const std::int64_t end = to.first + to.rows;
        for_each_plane<Suited>(inputs, to, [&](const auto& f, T* out) {
#pragma GCC unroll 2
            for (std::int64_t row = to.first; row < end; ++row, out += step) {
                const auto factor = simd_type::set(f.factor(row, 0));
                put(
                    out, [&](std::int64_t x) __attribute__((always_inline)) {
                        return f(row, 0, x, simd_type::lanes, factor);
                    });
            }
        });
    }

    /// Lines of whole registers, or of such that go in Parts: choosing that for each register takes
    /// half as long again. By way of memory, as what is scaled goes, non-temporal stores take three
    /// times as long.
    template <bool Parts>
    [[gnu::noinline]] static void stream_lines(const cursors<T>& inputs, std::int64_t extent,
                                               const product_rows<T>& to) {
        using simd_type = simd<T, Arch>;
        constexpr auto width = static_cast<std::int64_t>(simd_type::lanes);
        if constexpr (!Parts || simd_type::streams_parts) {
            // Planes are whole registers apart.
            const std::int64_t first =
                Parts ? 0
                      : static_cast<std::int64_t>(product_output<T, Arch>::first_streamed(to.out));
            for_each_row<Arch>(inputs, to, [&](T* out, const auto& value) {
                // Registers at the ends lie over others.
                for (std::int64_t x = 0; x < first; x += width) {
                    simd_type::store(out + x, value(x));
                }
                if (first != 0) {
                    simd_type::store(out + extent - width, value(extent - width));
                }
                for (std::int64_t x = first; x + width <= extent; x += width) {
                    if constexpr (Parts) {
                        simd_type::stream_parts(out + x, value(x));
                    } else {
                        simd_type::stream(out + x, value(x));
                    }
                }
            });
        }
    }

    /// In registers of a machine or narrower ones.
    template <class Suited>
    [[gnu::always_inline]] static void put_suited(const cursors<T>& inputs, std::int64_t extent,
                                                  const product_rows<T>& to) {
        constexpr auto lanes = static_cast<std::int64_t>(simd<T, Suited>::lanes);
        constexpr bool is_widest = std::is_same_v<Suited, Arch>;
        using narrow = narrower_t<Suited>;
        if constexpr (!std::is_same_v<narrow, Suited>) {
            constexpr auto least = static_cast<std::int64_t>(simd<T, narrow>::lanes);
            if (extent >= least && prefers_narrower<T, Suited>(extent)) {
                put_suited<narrow>(inputs, extent, to);
                return;
            }
        }
        if (is_widest && extent < lanes) {
            put_parts<Suited>(inputs, extent, to);
        } else if (extent <= lanes) {
            put_lines<Suited, 1>(inputs, extent, to);
        } else if (!is_widest || extent <= 2 * lanes) {  // of narrow ones there are no more
            put_lines<Suited, 2>(inputs, extent, to);
        } else if constexpr (is_widest) {
            if (extent <= 3 * lanes) {
                put_lines<Suited, 3>(inputs, extent, to);
            } else if (extent <= 4 * lanes) {
                put_lines<Suited, 4>(inputs, extent, to);
            } else {
                put_lines<Suited, many>(inputs, extent, to);
            }
        }
    }

    /// Lines that are parts of a register. Not inlined, as the others: its registers are its own.
    template <class Suited>
    [[gnu::noinline]] static void put_parts(const cursors<T>& inputs, std::int64_t extent,
                                            const product_rows<T>& to) {
        using simd_type = simd<T, Suited>;
        constexpr auto width = static_cast<std::int64_t>(simd_type::lanes);
        const auto count = static_cast<std::size_t>(extent);
        if (count >= simd_type::lanes) {
            __builtin_unreachable();
        }
        const bool covers = to.step == extent && !simd_type::has_lane_masks;
        const std::int64_t step = to.step;
        const std::int64_t end = to.first + to.rows;
        const std::int64_t whole = to.first + (covers ? rows_put_whole(to.rows, extent, width) : 0);
        for_each_plane<Suited>(inputs, to, [&](const auto& f, T* out) {
            for (std::int64_t row = to.first; row < end; ++row, out += step) {
                const auto factor = simd_type::set(f.factor(row, 0));
                const auto value = f(row, 0, 0, count, factor);
                if (row < whole) {
                    simd_type::store(out, value);
                } else {
                    simd_type::store_part(out, value, count);
                }
            }
        });
    }

    /// Lines of so many registers, or many; some lanes of the last two are put twice, and the same.
    template <class Suited, std::size_t Registers>
    [[gnu::noinline]] static void put_lines(const cursors<T>& inputs, std::int64_t extent,
                                            const product_rows<T>& to) {
        using simd_type = simd<T, Suited>;
        constexpr auto width = static_cast<std::int64_t>(simd_type::lanes);
        constexpr std::int64_t unrolled = 4;
        const std::int64_t last = extent - width;
        for_each_row<Suited>(inputs, to, [&](T* out, const auto& value) {
            const auto put = [&](std::int64_t x) __attribute__((always_inline)) {
                simd_type::store(out + x, value(x));
            };
            if constexpr (Registers == many) {
                std::int64_t x = 0;
                for (; x + (unrolled - 1) * width < last; x += unrolled * width) {
#pragma GCC unroll 4
                    for (std::int64_t r = 0; r < unrolled; ++r) {
                        put(x + r * width);
                    }
                }
                // Not a loop: where it lies in memory would decide whether rows of five registers
                // take 1.4 times as long.
                if (x + width < last) {
                    put(x);
                    put(x + width);
                    x += 2 * width;
                }
                if (x < last) {
                    put(x);
                }
            } else {
#pragma GCC unroll 4
                for (std::size_t r = 0; r + 1 < Registers; ++r) {
                    put(static_cast<std::int64_t>(r) * width);
                }
            }
            put(last);
        });
    }
};

}  // namespace xeinsum::kernel
