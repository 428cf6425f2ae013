// Products without a sum: "bld,dn->bldn" writes each element of the output once, in vectors of n.
#pragma once

#include <xeinsum/kernel/cache.hpp>
#include <xeinsum/kernel/cursors.hpp>
#include <xeinsum/kernel/loop_nest.hpp>
#include <xeinsum/kernel/output_line.hpp>
#include <xeinsum/kernel/product.hpp>

#include <cstddef>
#include <cstdint>

namespace xeinsum::kernel {

/// Lines of such products, row after row. A large output that nothing is added to goes around the
/// caches.
template <class T, class Arch, std::size_t Units, std::size_t Fixed>
class output_products {
public:
    explicit output_products(const output_line<T, Arch>& line) noexcept : line_(line) {}

    /// Fills an output from where inputs start. Of its loops, outer are those around rows and
    /// lines, row is that of rows, or none.
    void run(const loops& output, const loops& outer, const loops& row, cursors<T>& inputs,
             T* out) const {
        const bool streams = streamable(output, out);
        const std::int64_t rows = row.count == 0 ? 1 : row.extent(0);
        const std::int64_t step = row.count == 0 ? 0 : row.stride(0, 0);
        inputs.for_each_output(outer, [&](std::int64_t at) {
            inputs.for_each_term({}, [&] {
                if (streams) {
                    multiply<true>(inputs, out + at, step, rows);
                } else {
                    multiply<false>(inputs, out + at, step, rows);
                }
            });
        });
        if (streams) {
            simd_type::end_stream();
        }
    }

private:
    using simd_type = simd<T, Arch>;
    using reg = typename simd_type::type;
    using factors = product<T, Arch, Units, Fixed>;
    static constexpr auto width = output_line<T, Arch>::width;

    /// Whether the output is large, written in order and nothing but written.
    [[nodiscard]] bool streamable(const loops& output, const T* out) const {
        constexpr std::int64_t chunk = streamed_alignment / sizeof(T);
        const std::int64_t extent = line_.extent();
        bool in_order =
            !line_.scale().adds() && simd_type::can_stream(out) && (extent % width == 0);
        std::int64_t elements = 1;
        for (std::size_t m = output.count; m-- > 0;) {
            const std::int64_t stride = output.stride(m, 0);
            in_order = in_order && stride % chunk == (elements == 1 ? 1 % chunk : 0) &&
                       (extent >= 32 * width || stride == elements);
            elements *= output.extent(m);
        }
        return in_order && elements >= static_cast<std::int64_t>(streamed_bytes / sizeof(T));
    }

    // Not inlined: its few registers are its own, whatever is compiled around it.
    template <bool Streams>
    [[gnu::noinline]] void multiply(const cursors<T>& inputs, T* to, std::int64_t step,
                                    std::int64_t rows) const {
        const factors f(inputs);
        const output_line<T, Arch> line = line_;
        const std::int64_t whole = line.whole();
        const bool has_rest = line.registers() > whole;
        for (std::int64_t row = 0; row < rows; ++row, to += step) {
            const reg factor = simd_type::set(f.factor(row, 0));
            for (std::int64_t v = 0; v < whole; ++v) {
                const reg value = f(row, 0, v * width, simd_type::lanes, factor);
                if constexpr (Streams) {
                    line.scale().template stream_register<simd_type>(to + v * width, value);
                } else {
                    line.scale().template put_register<simd_type>(to + v * width, value);
                }
            }
            if (has_rest) {
                line.put(to, whole, f(row, 0, line.start(whole), line.filled(), factor));
            }
        }
    }

    const output_line<T, Arch>& line_;
};

}  // namespace xeinsum::kernel
