// Products whose results go to the output by way of a buffer: "adb,cd->cba" multiplies "db,cd->cb"
// for some a, and then writes them side by side in a.
#pragma once

#include <xeinsum/kernel/gemm/few_rows_gemm.hpp>
#include <xeinsum/kernel/gemm/gemm.hpp>
#include <xeinsum/kernel/gemm/gemm_blocks.hpp>
#include <xeinsum/kernel/gemm/short_runs_shapes.hpp>
#include <xeinsum/kernel/loop_nest.hpp>
#include <xeinsum/kernel/memory/cache.hpp>
#include <xeinsum/kernel/permute/permute.hpp>
#include <xeinsum/kernel/scaling.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>

namespace xeinsum::kernel {

/// Batched products whose loops n follow each other in rhs, side by side, and whose last loop of
/// the batch is the one along which the output lies side by side. Rows times staged_products times
/// the width of a tile fit in staged_bytes(tiles), and the depth is one block.
///
/// A run is what lies side by side in the output for one row and column: the last loop of the
/// batch. Some products of all runs are staged at a time. Where a large output goes on in the loop
/// around, that belongs to the run as well, which is then written in whole cache lines: products
/// whose line is not complete stay in front of the stage until the next ones have come.
template <class T, class Arch>
class staged_gemm_run {
public:
    /// Scratch has staged_bytes(tiles) for the results, and behind them room for a product of all
    /// rows and columns.
    staged_gemm_run(const gemm_groups& groups, staged_tiles tiles, const scaling<T>& scale,
                    std::byte* scratch)
        : groups_(groups),
          tiles_(tiles),
          scale_(scale),
          rows_(groups.m.iterations()),
          streams_(is_dram_resident<T>(groups.batch.iterations() * rows_ * groups.n.iterations())),
          whole_lines_(streams_ && runs_go_on()),
          stage_(reinterpret_cast<T*>(scratch)),
          scratch_(scratch + staged_bytes(tiles)) {
        const std::int64_t room =
            static_cast<std::int64_t>(staged_bytes(tiles) / sizeof(T)) / rows_;
        const std::int64_t waiting = whole_lines_ ? line - 1 : 0;
        const loops& n = groups_.n;
        const std::int64_t columns = n.extent(n.count - 1);
        // All of them, if they fit, where the output then goes on in the rows.
        const std::int64_t all = last().extent(0);
        const bool keeps_all = groups_.m.count > 0 && columns * all <= room &&
                               groups_.m.stride(groups_.m.count - 1, 0) == all;
        const std::int64_t products = (keeps_all ? all : std::min(all, staged_products)) + waiting;
        // A part of the last loop of columns, or all of it and a part of the one around it.
        if (columns * products > room) {
            const std::int64_t width =
                (tiles == staged_tiles::few_rows ? few_rows_registers<T, Arch> : nv) * lanes;
            part_ = std::max(room / products / width * width, width);
        } else {
            part_ = columns;
            // No more of rhs than is prefetched for the next product, if that is long rows.
            constexpr auto size = static_cast<std::int64_t>(sizeof(T));
            const std::int64_t prefetched =
                static_cast<std::int64_t>(cached_rhs_bytes) / size / groups_.k.iterations();
            const std::int64_t staged = room / products;
            const std::int64_t at_once =
                prefetched * size >= least_prefetched_row ? std::min(staged, prefetched) : staged;
            parts_ = n.count < 2
                         ? 1
                         : std::clamp<std::int64_t>(at_once / columns, 1, n.extent(n.count - 2));
        }
        const std::int64_t most =
            std::max<std::int64_t>((room / (part_ * parts_) - waiting) / line, 1);
        const std::int64_t lines = (last().extent(0) + line - 1) / line;
        const std::int64_t times = (lines + most - 1) / most;
        products_ = (lines + times - 1) / times * line;
    }

    void run(const T* lhs, const T* rhs, T* out) const {
        const loops& n = groups_.n;
        const bool two = n.count > 1;
        const std::array<std::int64_t, 4> one{1, 0, 0, 0};
        const loops columns = n.from(n.count - 1);
        const loops around = two ? n.from(n.count - 2).first(1) : loops{one.data(), 4, 1};
        odometer<3> batch(around_runs(), {0, 1, 2});
        do {
            odometer<2> outer(n.first(two ? n.count - 2 : 0), {0, 2});
            do {
                for (std::int64_t i = 0; i < around.extent(0); i += parts_) {
                    for (std::int64_t j = 0; j < columns.extent(0); j += part_) {
                        run_part(
                            {std::min(parts_, around.extent(0) - i), around.stride(0, 0)},
                            {std::min(part_, columns.extent(0) - j), columns.stride(0, 0)},
                            lhs + batch.offset(1),
                            rhs + batch.offset(2) + outer.offset(1) + i * around.stride(0, 2) + j,
                            out + batch.offset(0) + outer.offset(0) + i * around.stride(0, 0) +
                                j * columns.stride(0, 0));
                    }
                }
            } while (outer.next());
        } while (batch.next());
    }

private:
    static constexpr std::size_t nv = blocking_of<T, Arch>.nv;
    static constexpr auto lanes = static_cast<std::int64_t>(simd<T, Arch>::lanes);
    static constexpr auto line = static_cast<std::int64_t>(line_elements<T>);
    // Measured with one core; see docs/kernels/gemm.md.
    /// Bytes of a row of rhs: parts of shorter ones open more pages than prefetching saves.
    static constexpr std::int64_t least_prefetched_row = 1024;

    /// A loop over columns and its stride in the output.
    struct columns_part {
        std::int64_t extent;
        std::int64_t out;
    };

    [[nodiscard]] loops last() const { return groups_.batch.from(groups_.batch.count - 1); }

    [[nodiscard]] loops run_loops() const {
        return groups_.batch.from(groups_.batch.count - (whole_lines_ ? 2U : 1U));
    }
    [[nodiscard]] loops around_runs() const {
        return groups_.batch.first(groups_.batch.count - run_loops().count);
    }

    /// Whether runs go on in the loop around the last one of the batch, and are whole lines apart.
    [[nodiscard]] bool runs_go_on() const {
        const loops& batch = groups_.batch;
        if (batch.count < 2 || batch.stride(batch.count - 2, 0) != last().extent(0)) {
            return false;
        }
        return steps_are_lines(batch.first(batch.count - 2), 0, line) &&
               steps_are_lines(groups_.m, 0, line) && steps_are_lines(groups_.n, 0, line);
    }

    /// All runs of some columns.
    void run_part(const columns_part& outer, const columns_part& inner, const T* lhs, const T* rhs,
                  T* out) const {
        const std::int64_t width = outer.extent * inner.extent;
        const std::int64_t product = rows_ * width;
        const std::int64_t length = run_loops().iterations();
        std::int64_t written = 0;
        std::int64_t waiting = 0;
        const auto write = [&](std::int64_t count) {
            move(count, outer, inner, out + written);
            written += count;
            waiting -= count;
            std::memmove(stage_, stage_ + count * product,
                         static_cast<std::size_t>(waiting * product) * sizeof(T));
        };
        odometer<2> around(run_loops().first(run_loops().count - 1), {1, 2});
        do {
            for (std::int64_t p = 0; p < last().extent(0);) {
                const std::int64_t count = std::min(products_, last().extent(0) - p);
                multiply(count, width, lhs + around.offset(0) + p * last().stride(0, 1),
                         rhs + around.offset(1) + p * last().stride(0, 2),
                         stage_ + waiting * product);
                p += count;
                waiting += count;
                const T* const end = out + written + waiting;
                const bool last_line = !whole_lines_ || written + waiting == length;
                const std::int64_t left = elements_since_line(end);
                write(last_line ? waiting : std::max<std::int64_t>(waiting - left, 0));
            }
        } while (around.next());
    }

    /// Some products, one after the other in the stage.
    void multiply(std::int64_t count, std::int64_t width, const T* lhs, const T* rhs, T* to) const {
        const std::int64_t products[]{count, rows_ * width, last().stride(0, 1),
                                      last().stride(0, 2)};
        const std::int64_t columns[]{width, 1, 0, 1};
        std::array<std::int64_t, 4 * max_loops> rows;
        std::int64_t stride = rows_ * width;
        for (std::size_t i = 0; i < groups_.m.count; ++i) {
            stride /= groups_.m.extent(i);
            const std::int64_t row[]{groups_.m.extent(i), stride, groups_.m.stride(i, 1), 0};
            std::copy_n(row, 4, rows.begin() + 4 * static_cast<std::ptrdiff_t>(i));
        }
        const gemm_groups staged{
            {products, 4, 1}, {rows.data(), 4, groups_.m.count}, {columns, 4, 1}, groups_.k};
        if (tiles_ == staged_tiles::few_rows) {
            few_rows_gemm<T, Arch>(staged, usual_few_rows_way(blocking_of<T, Arch>.mr), lhs, rhs,
                                   to, {}, scratch_);
        } else {
            gemm<T, Arch>(staged, {.lhs = true, .rhs = false}, lhs, rhs, to, {}, scratch_);
        }
    }

    /// The first products of the stage to the output.
    void move(std::int64_t count, const columns_part& outer, const columns_part& inner,
              T* out) const {
        if (count == 0) {
            return;
        }
        const std::int64_t product = rows_ * outer.extent * inner.extent;
        std::array<std::int64_t, 3 * (max_loops + 3)> moves;
        auto* to = moves.data();
        std::size_t moved = 0;
        const auto put = [&](std::int64_t extent, std::int64_t in_output, std::int64_t in_stage) {
            if (extent > 1) {
                for (const std::int64_t number : {extent, in_output, in_stage}) {
                    *to++ = number;
                }
                ++moved;
            }
        };
        std::int64_t stride = product;
        for (std::size_t i = 0; i < groups_.m.count; ++i) {
            stride /= groups_.m.extent(i);
            put(groups_.m.extent(i), groups_.m.stride(i, 0), stride);
        }
        put(outer.extent, outer.out, inner.extent);
        put(inner.extent, inner.out, 1);
        put(count, 1, product);
        permute<T, Arch>({moves.data(), 3, moved}, stage_, out, scale_, streams_);
    }

    gemm_groups groups_;
    staged_tiles tiles_;
    scaling<T> scale_;
    std::int64_t rows_;
    bool streams_;      ///< the whole output is DRAM-resident
    bool whole_lines_;  ///< of runs are written
    T* stage_;
    std::byte* scratch_;
    std::int64_t part_ = 1;      ///< columns of the last loop at a time
    std::int64_t parts_ = 1;     ///< iterations of the loop around them
    std::int64_t products_ = 1;  ///< iterations of the last loop of the batch
};

/// What gemm does for such products.
template <class T, class Arch>
void staged_gemm(const gemm_groups& groups, staged_tiles tiles, const T* lhs, const T* rhs, T* out,
                 const scaling<T>& scale, std::byte* scratch) {
    staged_gemm_run<T, Arch>(groups, tiles, scale, scratch).run(lhs, rhs, out);
}

}  // namespace xeinsum::kernel
