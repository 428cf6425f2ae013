// Products of inputs that are counted when they run: "ij,ij,i,ij->ij" in vectors of j, one input
// after the other.
#pragma once

#include <xeinsum/kernel/cursors.hpp>
#include <xeinsum/kernel/reduce/output_line.hpp>
#include <xeinsum/kernel/reduce/output_products.hpp>
#include <xeinsum/kernel/simd/simd.hpp>

#include <cstddef>
#include <cstdint>

namespace xeinsum::kernel {

/// Writes registers of any lines: one input after the other, as a loop over registers of one input
/// is several times as fast as one over inputs for each register.
template <class T, class Arch>
void write_counted_products(const cursors<T>& inputs, const output_line<T, Arch>& l,
                            const product_block& b, typename output_line<T, Arch>::reg* values) {
    using simd_type = simd<T, Arch>;
    const std::size_t count = l.filled();
    const std::size_t units = inputs.counts().units;
    const std::size_t fixed_end = units + inputs.counts().fixed;
    bool first = true;
    // lanes(from, x) are those from x on of a row or a term that begins at from.
    const auto multiply = [&](const cursor<T>& input, const auto& lanes) {
        auto* value = values;
        const T* from = input.at + b.row * input.row + b.term * input.term;
        const std::int64_t step = b.of_terms ? input.term : input.row;
        for (std::int64_t i = 0; i < b.count; ++i, from += step) {
            for (std::int64_t v = b.begin; v < b.end; ++v, ++value) {
                const auto other = lanes(from, l.start(v));
                *value = first ? other : simd_type::mul(*value, other);
            }
        }
        first = false;
    };
    for (std::size_t i = 0; i < units; ++i) {
        multiply(inputs[i], [count](const T* from, std::int64_t x) {
            return count == simd_type::lanes ? simd_type::load(from + x)
                                             : simd_type::load_part(from + x, count);
        });
    }
    for (std::size_t i = fixed_end; i < inputs.size(); ++i) {
        multiply(inputs[i], [count, stride = inputs[i].lane](const T* from, std::int64_t x) {
            return simd_type::gather(from + x * stride, stride, count);
        });
    }
    for (std::size_t i = units; i < fixed_end; ++i) {
        multiply(inputs[i], [](const T* from, std::int64_t) { return simd_type::set(*from); });
    }
}

}  // namespace xeinsum::kernel
