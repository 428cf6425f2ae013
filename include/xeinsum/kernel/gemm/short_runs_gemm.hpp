// Products whose columns come in short runs with all rows between two of them: of "bk,cak->cba" on
// (20,24) and (20,24,24) each c is 20 rows of 24 floats one behind the other, which leave in whole
// registers, by non-temporal stores if these are cache lines.
#pragma once

#include <xeinsum/kernel/gemm/gemm.hpp>
#include <xeinsum/kernel/gemm/gemm_groups.hpp>
#include <xeinsum/kernel/gemm/gemm_memory.hpp>
#include <xeinsum/kernel/gemm/micro_kernel.hpp>
#include <xeinsum/kernel/gemm/pack.hpp>
#include <xeinsum/kernel/gemm/short_runs_shapes.hpp>
#include <xeinsum/kernel/gemm/tile_results.hpp>
#include <xeinsum/kernel/loop_nest.hpp>
#include <xeinsum/kernel/memory/cache.hpp>
#include <xeinsum/kernel/memory/lines.hpp>
#include <xeinsum/kernel/scaling.hpp>
#include <xeinsum/kernel/simd/simd.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace xeinsum::kernel {

/// Batched products whose rows are one loop, an even number of them, from one to the next as far as
/// a run is long. Runs lie side by side in the output; see halves_of_run. Both operands are packed.
template <class T, class Arch>
class short_runs_gemm_run {
public:
    /// Whether registers are lines; where one is half a line, this is no faster.
    static constexpr bool exists = is_line<T, Arch>();

    /// Whether products are such, and their results replace what is there.
    [[nodiscard]] static bool suits(const gemm_groups& groups, const scaling<T>& scale) {
        if constexpr (!exists) {
            return false;
        } else {
            const loops& m = groups.m;
            const loops& n = groups.n;
            return m.count == 1 && n.count > 0 && m.extent(0) % 2 == 0 &&
                   m.stride(0, 0) == n.extent(n.count - 1) && n.stride(n.count - 1, 0) == 1 &&
                   halves_of_run(m.stride(0, 0), lanes) != 0 && !scale.adds();
        }
    }

    /// Of products that suit. Scratch has short_runs_gemm_bytes(...), aligned to 64.
    short_runs_gemm_run(const gemm_groups& groups, const scaling<T>& scale, std::byte* scratch)
        : groups_(groups),
          scale_(scale),
          rows_(static_cast<std::size_t>(groups.m.extent(0))),
          columns_(static_cast<std::size_t>(groups.n.iterations())),
          depth_(static_cast<std::size_t>(groups.k.iterations())),
          run_(groups.n.extent(groups.n.count - 1)),
          lhs_(reinterpret_cast<T*>(scratch)),
          rhs_(reinterpret_cast<T*>(scratch +
                                    packed_bytes(round_up(rows_, height) * depth_, sizeof(T)))) {
        auto* numbers = reinterpret_cast<std::int64_t*>(
            reinterpret_cast<std::byte*>(rhs_) +
            packed_bytes(round_up(columns_, width) * depth_, sizeof(T)));
        const auto lines = [&](const loops& over, std::size_t array) __attribute__((noinline)) {
            const auto count = static_cast<std::size_t>(over.iterations());
            line_table table(numbers, count);
            numbers += line_table::width * count;
            return table.fill(over, 0, count, array);
        };
        lhs_rows_ = lines(groups.m, 1);
        lhs_depth_ = lines(groups.k, 1);
        rhs_columns_ = lines(groups.n, 2);
        rhs_depth_ = lines(groups.k, 2);
        out_runs_ = lines(groups.n.first(groups.n.count - 1), 0);
    }

    void run(const T* lhs, const T* rhs, T* out) {
        // A register of each first row of runs begins with a line, and so do all others.
        const bool streams = reinterpret_cast<std::uintptr_t>(out) % line_bytes == 0 &&
                             keeps_lines(groups_.batch) &&
                             keeps_lines(groups_.n.first(groups_.n.count - 1));
        odometer<3> batch(groups_.batch, {0, 1, 2});
        const T* packed_lhs = nullptr;
        const T* packed_rhs = nullptr;
        do {
            const T* const lhs_here = lhs + batch.offset(1);
            const T* const rhs_here = rhs + batch.offset(2);
            if (lhs_here != packed_lhs) {
                packer<T, Arch>(height).pack(lhs_here, lhs_rows_, lhs_depth_, lhs_);
                packed_lhs = lhs_here;
            }
            if (rhs_here != packed_rhs) {
                packer<T, Arch>(width).pack(rhs_here, rhs_columns_, rhs_depth_, rhs_);
                packed_rhs = rhs_here;
            }
            multiply(out + batch.offset(0), streams);
        } while (batch.next());
        simd_type::end_stream();
    }

private:
    using simd_type = simd<T, Arch>;
    static constexpr std::size_t lanes = simd_type::lanes;
    static constexpr std::size_t height = interleaved_rows;
    static constexpr std::size_t width = interleaved_registers * lanes;
    static constexpr std::int64_t one_segment = 0;
    struct tile_place {
        const T* lhs = nullptr;
        const T* rhs = nullptr;
        T* out = nullptr;                    ///< the first row, to which runs are added
        const std::int64_t* runs = nullptr;  ///< where they begin
        std::size_t count = 0;               ///< of runs
        std::size_t rows = 0;                ///< an even number
        std::size_t halves = 0;              ///< of registers in each
        bool streams = false;                ///< by non-temporal stores
        std::size_t depth = 0;
    };
    /// Whether each step is a number of lines.
    [[nodiscard]] static bool keeps_lines(const loops& over) {
        for (std::size_t m = 0; m < over.count; ++m) {
            if (over.stride(m, 0) % static_cast<std::int64_t>(line_elements<T>) != 0) {
                return false;
            }
        }
        return true;
    }

    /// Down the rows of some runs, which is the order of the output.
    void multiply(T* out, bool streams) const {
        const std::size_t halves = halves_of_run(run_, lanes);
        const std::size_t most = runs_of_tile(halves);
        for (std::size_t q = 0; q < out_runs_.count; q += most) {
            const T* const panel = rhs_ + q * static_cast<std::size_t>(run_) * depth_;
            for (std::size_t i = 0; i < rows_; i += height) {
                compute({lhs_ + i * depth_, panel, out + static_cast<std::int64_t>(i) * run_,
                         out_runs_.offsets + q, std::min(most, out_runs_.count - q),
                         std::min(height, rows_ - i), halves, streams, depth_});
            }
        }
    }

    /// Computes all rows of a panel, zeros in the place of missing ones.
    [[gnu::flatten]] void compute(const tile_place& at) const {
        micro_tile<T, Arch, height, interleaved_registers> tile;
        tile.multiply({1, at.depth}, {at.lhs, 1, height, &one_segment},
                      {at.rhs, 1, width, &one_segment});
        alignas(64) const auto stored = tile.stored();
        put(stored.data(), at);
    }
    /// Writes runs of so many halves of registers. The halves of all rows of a run follow each
    /// other in memory, two in a register.
    [[gnu::noinline]] void put(const T* sums, const tile_place& at) const {
        const auto register_of = [&](std::size_t row, std::size_t half) {
            return simd_type::load(sums + row * width + half / 2 * lanes);
        };
        for (std::size_t q = 0; q < at.count; ++q) {
            T* to = at.out + at.runs[q];
            // Of the register that is written next: the row of its first half, and which of the
            // row's it is.
            std::size_t row = 0;
            std::size_t half = 0;
            const auto next = [&] {
                const std::size_t of = q * at.halves + half;
                half = half + 1 == at.halves ? 0 : half + 1;
                row += half == 0 ? 1 : 0;
                return of;
            };
            while (row < at.rows) {
                const std::size_t first_row = row;
                const std::size_t a = next();
                const std::size_t second_row = row;
                const std::size_t b = next();
                const auto x = register_of(first_row, a);
                const auto y = register_of(second_row, b);
                const auto both = a % 2 == 0   ? b % 2 == 0 ? simd_type::template halves<0, 0>(x, y)
                                                            : simd_type::template halves<0, 1>(x, y)
                                    : b % 2 == 0 ? simd_type::template halves<1, 0>(x, y)
                                               : simd_type::template halves<1, 1>(x, y);
                if (at.streams) {
                    scale_.template stream_register<simd_type>(to, both);
                } else {
                    scale_.template put_register<simd_type>(to, both);
                }
                to += lanes;
            }
        }
    }

    gemm_groups groups_;
    scaling<T> scale_;
    std::size_t rows_;
    std::size_t columns_;
    std::size_t depth_;
    std::int64_t run_;
    T* lhs_;
    T* rhs_;
    line_offsets lhs_rows_{}, lhs_depth_{}, rhs_columns_{}, rhs_depth_{}, out_runs_{};
};

/// out = scale(product of lhs and rhs, summed over k) for every batch. No array overlaps out.
/// Products that do not suit are packed ones for gemm. Scratch has what either needs, aligned to
/// 64.
template <class T, class Arch>
void short_runs_gemm(const gemm_groups& groups, const T* lhs, const T* rhs, T* out,
                     const scaling<T>& scale, std::byte* scratch) {
    using run = short_runs_gemm_run<T, Arch>;
    if constexpr (run::exists) {
        if (run::suits(groups, scale)) {
            run(groups, scale, scratch).run(lhs, rhs, out);
            return;
        }
    }
    gemm<T, Arch>(groups, {}, lhs, rhs, out, scale, scratch);
}

}  // namespace xeinsum::kernel
