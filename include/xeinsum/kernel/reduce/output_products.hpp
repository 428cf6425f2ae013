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
#include <cstdlib>
#include <type_traits>

namespace xeinsum::kernel {

/// How lines of products reach an output: the same for any inputs.
template <class T, class Arch>
class product_output {
public:
    /// Whether the arrays are large and the output is written in order and nothing but written.
    [[nodiscard, gnu::noinline]] static bool streams(const output_line<T, Arch>& line,
                                                     const loop_nest& nest, const T* out) {
        const loops& output = nest.output;
        const std::int64_t extent = line.extent();
        bool in_order = !line.scale().adds() && simd_type::can_stream(out) && extent % width == 0;
        std::int64_t elements = 1;
        for (std::size_t m = output.count; m-- > 0;) {
            const std::int64_t stride = output.stride(m, 0);
            in_order = in_order && stride % width == (elements == 1 ? 1 % width : 0) &&
                       (extent >= 32 * width || stride == elements);
            elements *= output.extent(m);
        }
        if (!in_order || elements * static_cast<std::int64_t>(1 + nest.inputs) < large) {
            return false;  // as of most
        }
        for (std::size_t array = 1; array <= nest.inputs; ++array) {
            elements += elements_of(output, array);
        }
        return elements >= large;
    }

    /// Whether lines are prefetched: those of a large output that are written through masks, which
    /// no hardware prefetches.
    [[nodiscard]] static bool prefetches(const output_line<T, Arch>& line, const loop_nest& nest) {
        return simd_type::has_lane_masks && line.whole() == 0 && nest.output.iterations() >= large;
    }

private:
    using simd_type = simd<T, Arch>;
    static constexpr auto width = output_line<T, Arch>::width;
    static constexpr auto large = static_cast<std::int64_t>(streamed_bytes / sizeof(T));

    /// Elements of an array that loops step through.
    [[nodiscard]] static std::int64_t elements_of(const loops& over, std::size_t array) noexcept {
        std::int64_t elements = 1;
        for (std::size_t m = 0; m < over.count; ++m) {
            elements *= over.stride(m, array) != 0 ? over.extent(m) : 1;
        }
        return elements;
    }
};

/// Lines of such products, row after row; in registers narrower than the machine's, of one or two
/// that are put as they are.
template <class T, class Arch, std::size_t Units, std::size_t Fixed>
class output_products {
public:
    /// Lines of the output of a nest. If it and what it is computed from are large and nothing is
    /// added to it, it goes by non-temporal stores.
    output_products(const output_line<T, Arch>& line, const loop_nest& nest, const T* out) noexcept
        : line_(line),
          streams_(is_widest && target::streams(line, nest, out)),
          prefetches_(target::prefetches(line, nest)) {}

    /// Puts rows 0 to rows - 1, which are step elements from each other. With known counts there
    /// may be one loop around them, the planes.
    void run(const cursors<T>& inputs, T* out, std::int64_t step, std::int64_t rows,
             const loops& planes = {}) const {
        if constexpr (factors::known) {
            if (!is_widest || (line_.scale().is_identity() && line_.extent() >= width)) {
                switch (streams_ ? many : static_cast<std::size_t>(line_.registers())) {
                    case 1: return put_rows<1, false>(inputs, out, step, rows, planes);
                    case 2: return put_rows<2, false>(inputs, out, step, rows, planes);
                    case 3: return put_rows<wide<3>, false>(inputs, out, step, rows, planes);
                    case 4: return put_rows<wide<4>, false>(inputs, out, step, rows, planes);
                    case many:
                        return put_rows<wide<many>, is_widest>(inputs, out, step, rows, planes);
                    default: return put_rows<wide<many>, false>(inputs, out, step, rows, planes);
                }
            }
        }
        if constexpr (is_widest) {
            scale_rows(inputs, out, step, rows, planes);
        }
    }
    /// After the last rows.
    void end() const {
        if (streams_) {
            simd_type::end_stream();
        }
    }

private:
    using simd_type = simd<T, Arch>;
    using reg = typename simd_type::type;
    using factors = product<T, Arch, Units, Fixed>;
    using target = product_output<T, Arch>;
    static constexpr auto width = output_line<T, Arch>::width;
    /// In lines of a few registers, which are all there is to do for a row, a loop over them would
    /// take longer than the product.
    static constexpr std::size_t many = 0;
    static constexpr bool is_widest = std::is_same_v<typename widest<Arch>::type, Arch>;
    /// Of lines with so many registers: narrow ones are not compiled for more than two.
    template <std::size_t Registers>
    static constexpr std::size_t wide = is_widest ? Registers : 2;
    /// Rows that are prefetched together.
    static constexpr std::int64_t rows_prefetched = 16;
    /// Of many registers so many come together.
    static constexpr std::int64_t unrolled = 4;

    /// Always inlined: g++ 12 drops calls of functions that only prefetch.
    [[gnu::always_inline]] static void prefetch_rows(const factors& f, const T* to,
                                                     std::int64_t row, std::int64_t rows,
                                                     std::int64_t step) {
        f.prefetch_rows(row, rows);
        prefetch_behind<true>(to, static_cast<std::size_t>(std::abs(rows * step)) * sizeof(T));
    }

    /// Lines of at least one register, of so many or many, that are put as they are: some lanes of
    /// the last two registers twice, and the same. Not inlined: its few registers are its own,
    /// whatever is compiled around it.
    template <std::size_t Registers, bool Streams>
    [[gnu::noinline]] void put_rows(const cursors<T>& inputs, T* out, std::int64_t step,
                                    std::int64_t rows, const loops& planes) const {
        factors f(inputs);
        const std::int64_t last = line_.start(line_.registers() - 1);
        const bool one = planes.count == 0;
        for (std::int64_t plane = one ? 1 : planes.extent(0); plane > 0; --plane) {
            T* to = out;
            for (std::int64_t row = 0; row < rows; ++row, to += step) {
                const reg factor = simd_type::set(f.factor(row, 0));
                const auto put = [&](std::int64_t x) __attribute__((always_inline)) {
                    const reg value = f(row, 0, x, simd_type::lanes, factor);
                    if constexpr (Streams) {
                        simd_type::stream(to + x, value);
                    } else {
                        simd_type::store(to + x, value);
                    }
                };
                if constexpr (Registers == many) {
                    std::int64_t x = 0;
                    for (; x + unrolled * width <= last; x += unrolled * width) {
#pragma GCC unroll 4
                        for (std::int64_t r = 0; r < unrolled; ++r) {
                            put(x + r * width);
                        }
                    }
                    for (; x < last; x += width) {
                        put(x);
                    }
                } else {
#pragma GCC unroll 4
                    for (std::size_t r = 0; r + 1 < Registers; ++r) {
                        put(static_cast<std::int64_t>(r) * width);
                    }
                }
                put(last);
            }
            if (!one) {
                f.step(planes);
                out += planes.stride(0, 0);
            }
        }
    }

    /// Any lines and scaling. Not inlined either.
    [[gnu::noinline]] void scale_rows(const cursors<T>& inputs, T* out, std::int64_t step,
                                      std::int64_t rows, const loops& planes) const {
        factors f(inputs);
        const output_line<T, Arch> line = line_;
        const std::int64_t whole = line.whole();
        const bool has_rest = line.registers() > whole;
        const bool streams = streams_;
        const bool prefetches = prefetches_;
        const bool one = planes.count == 0;
        for (std::int64_t plane = one ? 1 : planes.extent(0); plane > 0; --plane) {
            T* to = out;
            for (std::int64_t row = 0; row < rows; ++row, to += step) {
                if (prefetches && row % rows_prefetched == 0) {
                    prefetch_rows(f, to, row, std::min(rows - row, rows_prefetched), step);
                }
                const reg factor = simd_type::set(f.factor(row, 0));
                for (std::int64_t v = 0; v < whole; ++v) {
                    const reg value = f(row, 0, v * width, simd_type::lanes, factor);
                    if (streams) {
                        line.scale().template stream_register<simd_type>(to + v * width, value);
                    } else {
                        line.scale().template put_register<simd_type>(to + v * width, value);
                    }
                }
                if (has_rest) {
                    line.put(to, whole, f(row, 0, line.start(whole), line.filled(), factor));
                }
            }
            if constexpr (factors::known) {
                if (!one) {
                    f.step(planes);
                    out += planes.stride(0, 0);
                }
            }
        }
    }

    const output_line<T, Arch>& line_;
    bool streams_;
    bool prefetches_;
};

}  // namespace xeinsum::kernel
