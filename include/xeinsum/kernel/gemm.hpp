// Batched matrix products over groups of loops: in "bhqd,bkhd->bhqk" the batch is b h, the rows q,
// the columns k and the depth d, wherever they lie in memory.
#pragma once

#include <xeinsum/kernel/blocking.hpp>
#include <xeinsum/kernel/loop_nest.hpp>
#include <xeinsum/kernel/macro_kernel.hpp>
#include <xeinsum/kernel/pack.hpp>
#include <xeinsum/kernel/scaling.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace xeinsum::kernel {

/// Loops with strides in the output (0), in lhs (1) and in rhs (2).
struct gemm_groups {
    loops batch{};
    loops m{};
    loops n{};
    loops k{};
};

/// How the memory of one product is cut, in elements; blocks are no larger than the product needs.
struct gemm_memory {
    std::size_t mc = 0;
    std::size_t nc = 0;
    std::size_t kc = 0;
    std::size_t lhs_bytes = 0;
    std::size_t rhs_bytes = 0;

    [[nodiscard]] constexpr std::size_t bytes() const noexcept {
        return lhs_bytes + rhs_bytes + 2 * (mc + nc + kc) * sizeof(std::int64_t);
    }
};

[[nodiscard]] constexpr std::size_t round_up(std::size_t x, std::size_t unit) noexcept {
    return (x + unit - 1) / unit * unit;
}

/// b holds mr, mc, nc and kc; nr is the width of its micro-tile.
[[nodiscard]] constexpr gemm_memory cut_memory(const blocking& b, std::size_t nr,
                                               std::size_t element_bytes, std::int64_t m,
                                               std::int64_t n, std::int64_t k) noexcept {
    const auto least = [](std::size_t limit, std::int64_t x) {
        return static_cast<std::uint64_t>(x) < limit ? static_cast<std::size_t>(x) : limit;
    };
    gemm_memory memory;
    memory.mc = least(b.mc, m);
    memory.nc = least(b.nc, n);
    memory.kc = least(b.kc, k);
    memory.lhs_bytes = round_up(round_up(memory.mc, b.mr) * memory.kc * element_bytes, 64);
    memory.rhs_bytes = round_up(round_up(memory.nc, nr) * memory.kc * element_bytes, 64);
    return memory;
}

/// Writes the offsets of count iterations of some loops from begin on, in two arrays.
inline void fill_offsets(const loops& over, std::int64_t begin, std::size_t count,
                         std::size_t first_array, std::int64_t* first, std::size_t second_array,
                         std::int64_t* second) {
    odometer<2> position(over, {first_array, second_array});
    position.seek(begin);
    for (std::size_t i = 0; i < count; ++i) {
        first[i] = position.offset(0);
        second[i] = position.offset(1);
        position.next();
    }
}

/// out = scale(product of lhs and rhs, summed over k) for every batch. No array overlaps out.
/// Scratch has cut_memory(...).bytes() bytes, aligned to 64.
template <class T, class Arch>
void gemm(const gemm_groups& groups, const T* lhs, const T* rhs, T* out, const scaling<T>& scale,
          std::byte* scratch) {
    constexpr blocking b = blocking_of<T, Arch>;
    constexpr std::size_t nr = b.nv * simd<T, Arch>::lanes;
    const std::int64_t rows = groups.m.iterations();
    const std::int64_t columns = groups.n.iterations();
    const std::int64_t depth = groups.k.iterations();
    const gemm_memory memory = cut_memory(b, nr, sizeof(T), rows, columns, depth);

    T* packed_lhs = reinterpret_cast<T*>(scratch);
    T* packed_rhs = reinterpret_cast<T*>(scratch + memory.lhs_bytes);
    auto* index = reinterpret_cast<std::int64_t*>(scratch + memory.lhs_bytes + memory.rhs_bytes);
    std::int64_t* row_out = index;
    std::int64_t* row_lhs = row_out + memory.mc;
    std::int64_t* column_out = row_lhs + memory.mc;
    std::int64_t* column_rhs = column_out + memory.nc;
    std::int64_t* depth_lhs = column_rhs + memory.nc;
    std::int64_t* depth_rhs = depth_lhs + memory.kc;

    const auto left = [](std::int64_t total, std::int64_t begin, std::size_t block) {
        return static_cast<std::size_t>(std::min(total - begin, static_cast<std::int64_t>(block)));
    };
    const scaling<T> accumulate = scale.accumulating();
    odometer<3> batch(groups.batch, {0, 1, 2});
    do {
        const T* a = lhs + batch.offset(1);
        const T* c = rhs + batch.offset(2);
        T* o = out + batch.offset(0);
        for (std::int64_t j = 0; j < columns; j += static_cast<std::int64_t>(memory.nc)) {
            const std::size_t width = left(columns, j, memory.nc);
            fill_offsets(groups.n, j, width, 0, column_out, 2, column_rhs);
            for (std::int64_t p = 0; p < depth; p += static_cast<std::int64_t>(memory.kc)) {
                const std::size_t deep = left(depth, p, memory.kc);
                fill_offsets(groups.k, p, deep, 1, depth_lhs, 2, depth_rhs);
                pack<T, nr>(c, {column_rhs, width}, {depth_rhs, deep}, packed_rhs);
                for (std::int64_t i = 0; i < rows; i += static_cast<std::int64_t>(memory.mc)) {
                    const std::size_t high = left(rows, i, memory.mc);
                    fill_offsets(groups.m, i, high, 0, row_out, 1, row_lhs);
                    pack<T, b.mr>(a, {row_lhs, high}, {depth_lhs, deep}, packed_lhs);
                    macro_kernel<T, Arch, b.mr, b.nv>(deep, packed_lhs, packed_rhs, o,
                                                      {row_out, high}, {column_out, width},
                                                      p == 0 ? scale : accumulate);
                }
            }
        }
    } while (batch.next());
}

}  // namespace xeinsum::kernel
