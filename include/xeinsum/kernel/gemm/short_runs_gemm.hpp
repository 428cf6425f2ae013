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
#include <xeinsum/kernel/permute/line_writer.hpp>
#include <xeinsum/kernel/scaling.hpp>
#include <xeinsum/kernel/simd/simd.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace xeinsum::kernel {

/// Batched products whose rows are one loop, from one to the next as far as a run is long. Runs lie
/// side by side in the output; see runs_of_tile. Both operands are packed.
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
            return m.count == 1 && n.count > 0 && m.stride(0, 0) == n.extent(n.count - 1) &&
                   n.stride(n.count - 1, 0) == 1 && runs_of_tile(m.stride(0, 0), lanes) != 0 &&
                   !scale.adds();
        }
    }

    /// Of products that suit. Scratch has short_runs_gemm_bytes(...), aligned to 64.
    short_runs_gemm_run(const gemm_groups& groups, const scaling<T>& scale, std::byte* scratch)
        : groups_(groups),
          scale_(scale),
          rows_(static_cast<std::size_t>(groups.m.extent(0))),
          columns_(static_cast<std::size_t>(groups.n.iterations())),
          depth_(static_cast<std::size_t>(groups.k.iterations())),
          run_(static_cast<std::size_t>(groups.n.extent(groups.n.count - 1))),
          runs_(runs_of_tile(static_cast<std::int64_t>(run_), lanes)),
          lhs_(reinterpret_cast<T*>(scratch)),
          rhs_(reinterpret_cast<T*>(scratch +
                                    packed_bytes(round_up(rows_, height) * depth_, sizeof(T)))) {
        auto* numbers = reinterpret_cast<std::int64_t*>(
            reinterpret_cast<std::byte*>(rhs_) +
            packed_bytes(packed_run_columns(columns_, lanes) * depth_, sizeof(T)));
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
                pack_rhs(rhs_here);
                packed_rhs = rhs_here;
            }
            multiply(out + batch.offset(0));
        } while (batch.next());
        simd_type::end_stream();
    }

private:
    using simd_type = simd<T, Arch>;
    static constexpr std::size_t lanes = simd_type::lanes;
    static constexpr std::size_t height = interleaved_rows;
    static constexpr std::size_t width = interleaved_registers * lanes;
    static constexpr std::int64_t one_segment = 0;
    /// Of a tile; each has half a register at least.
    static constexpr std::size_t most_runs = 2 * interleaved_registers;

    /// Results of the runs of a tile on their way to the output. Their last ones stay where they do
    /// not fill a cache line, until those of the next rows have come.
    struct waiting_runs {
        alignas(line_bytes) std::array<T, height * width + most_runs * lanes> results;
        std::array<std::size_t, most_runs> counts{};
    };

    [[nodiscard]] T* panel_of(std::size_t run) const { return rhs_ + run / runs_ * width * depth_; }

    /// A panel has the runs of a tile.
    void pack_rhs(const T* rhs) const {
        for (std::size_t q = 0; q < out_runs_.count; q += runs_) {
            const std::size_t columns = std::min(runs_, out_runs_.count - q) * run_;
            packer<T, Arch>(width).pack(rhs, rhs_columns_.sub(q * run_, columns), rhs_depth_,
                                        panel_of(q));
        }
    }

    /// Down the rows of some runs, which is the order of the output.
    void multiply(T* out) const {
        waiting_runs waiting;
        for (std::size_t q = 0; q < out_runs_.count; q += runs_) {
            const std::size_t runs = std::min(runs_, out_runs_.count - q);
            for (std::size_t i = 0; i < rows_; i += height) {
                const std::size_t end = std::min(i + height, rows_);
                compute(lhs_ + i * depth_, panel_of(q), end - i, runs, waiting);
                for (std::size_t r = 0; r < runs; ++r) {
                    std::size_t& count = waiting.counts[r];
                    count = stream_whole_lines<T, Arch>(place_of(waiting, r), count,
                                                        out + out_runs_.offsets[q + r] + end * run_,
                                                        end == rows_);
                }
            }
        }
    }

    /// Computes all rows of a panel, zeros in the place of missing ones.
    [[gnu::flatten]] void compute(const T* lhs, const T* rhs, std::size_t rows, std::size_t runs,
                                  waiting_runs& waiting) const {
        micro_tile<T, Arch, height, interleaved_registers> tile;
        tile.multiply({1, depth_}, {lhs, 1, height, &one_segment}, {rhs, 1, width, &one_segment});
        alignas(64) const auto stored = tile.stored();
        put(stored.data(), rows, runs, waiting);
    }

    /// Where a run's results wait.
    [[nodiscard]] T* place_of(waiting_runs& waiting, std::size_t run) const {
        return waiting.results.data() + run * (height * run_ + lanes);
    }

    /// Puts rows of runs behind those that wait.
    [[gnu::noinline]] void put(const T* sums, std::size_t rows, std::size_t runs,
                               waiting_runs& waiting) const {
        for (std::size_t q = 0; q < runs; ++q) {
            T* to = place_of(waiting, q) + waiting.counts[q];
            waiting.counts[q] += rows * run_;
            const T* from = sums + q * run_;
            for (std::size_t i = 0; i < rows; ++i) {
                std::size_t j = 0;
                for (; j + lanes <= run_; j += lanes) {
                    scale_.template put_register<simd_type>(to + j, simd_type::load(from + j));
                }
                if (j == 0) {
                    scale_.template put_part<simd_type>(to, simd_type::load_part(from, run_), run_);
                } else if (j < run_) {  // the last register lies over the one before
                    const std::size_t last = run_ - lanes;
                    scale_.template put_register<simd_type>(to + last,
                                                            simd_type::load(from + last));
                }
                from += width;
                to += run_;
            }
        }
    }

    gemm_groups groups_;
    scaling<T> scale_;
    std::size_t rows_;
    std::size_t columns_;
    std::size_t depth_;
    std::size_t run_;   ///< columns of each
    std::size_t runs_;  ///< of a tile
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
