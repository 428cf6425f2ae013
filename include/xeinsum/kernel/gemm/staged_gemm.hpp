// Products whose results go to the output by way of a buffer: "adb,cd->cba" multiplies "db,cd->cb"
// for some a, and then writes them side by side in a.
#pragma once

#include <xeinsum/kernel/gemm/few_rows_gemm.hpp>
#include <xeinsum/kernel/gemm/gemm.hpp>
#include <xeinsum/kernel/gemm/short_runs_shapes.hpp>
#include <xeinsum/kernel/loop_nest.hpp>
#include <xeinsum/kernel/permute/permute.hpp>
#include <xeinsum/kernel/scaling.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>

namespace xeinsum::kernel {

/// Batched products whose loops n follow each other in rhs, side by side, and whose last loop of
/// the batch is the one along which the output lies side by side. Rows times staged_products times
/// the width of a tile fit in staged_bytes(tiles), and the depth is one block.
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
          stage_(reinterpret_cast<T*>(scratch)),
          scratch_(scratch + staged_bytes(tiles)) {
        const std::int64_t room =
            static_cast<std::int64_t>(staged_bytes(tiles) / sizeof(T)) / rows_;
        const std::int64_t products = std::min(last().extent(0), staged_products);
        const loops& n = groups_.n;
        // A part of the last loop of columns, or all of it and a part of the one around it.
        const std::int64_t columns = n.extent(n.count - 1);
        if (columns * products > room) {
            const std::int64_t width =
                (tiles == staged_tiles::few_rows ? few_rows_registers<T, Arch> : nv) * lanes;
            part_ = std::max(room / products / width * width, width);
        } else {
            part_ = columns;
            parts_ = n.count < 2 ? 1
                                 : std::clamp<std::int64_t>(room / products / columns, 1,
                                                            n.extent(n.count - 2));
        }
        products_ = std::min(last().extent(0), room / (part_ * parts_) / products * products);
    }

    void run(const T* lhs, const T* rhs, T* out) const {
        const loops& n = groups_.n;
        const bool two = n.count > 1;
        const std::array<std::int64_t, 4> one{1, 0, 0, 0};
        const loops columns = n.from(n.count - 1);
        const loops around = two ? n.from(n.count - 2).first(1) : loops{one.data(), 4, 1};
        odometer<3> batch(groups_.batch.first(groups_.batch.count - 1), {0, 1, 2});
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

    /// A loop over columns and its stride in the output.
    struct columns_part {
        std::int64_t extent;
        std::int64_t out;
    };

    [[nodiscard]] loops last() const { return groups_.batch.from(groups_.batch.count - 1); }

    /// All products of the last loop of the batch for some columns.
    void run_part(const columns_part& outer, const columns_part& inner, const T* lhs, const T* rhs,
                  T* out) const {
        for (std::int64_t p = 0; p < last().extent(0); p += products_) {
            multiply(std::min(products_, last().extent(0) - p), outer, inner,
                     lhs + p * last().stride(0, 1), rhs + p * last().stride(0, 2),
                     out + p * last().stride(0, 0));
        }
    }

    /// Some products, side by side in the stage, then out of it.
    void multiply(std::int64_t count, const columns_part& outer, const columns_part& inner,
                  const T* lhs, const T* rhs, T* out) const {
        const std::int64_t width = outer.extent * inner.extent;
        const loops& m = groups_.m;
        const std::int64_t products[]{count, rows_ * width, last().stride(0, 1),
                                      last().stride(0, 2)};
        const std::int64_t columns[]{width, 1, 0, 1};
        std::array<std::int64_t, 4 * max_loops> rows;
        std::array<std::int64_t, 3 * (max_loops + 3)> moves;
        auto* row = rows.data();
        auto* move = moves.data();
        const auto put = [](auto& to, std::initializer_list<std::int64_t> numbers) {
            to = std::copy(numbers.begin(), numbers.end(), to);
        };
        std::size_t moved = 0;
        const auto put_move = [&](std::int64_t extent, std::int64_t to, std::int64_t from) {
            if (extent > 1) {
                put(move, {extent, to, from});
                ++moved;
            }
        };
        std::int64_t stride = rows_ * width;
        for (std::size_t i = 0; i < m.count; ++i) {
            stride /= m.extent(i);
            put(row, {m.extent(i), stride, m.stride(i, 1), 0});
            put_move(m.extent(i), m.stride(i, 0), stride);
        }
        put_move(outer.extent, outer.out, inner.extent);
        put_move(inner.extent, inner.out, 1);
        put_move(count, last().stride(0, 0), rows_ * width);
        const gemm_groups staged{
            {products, 4, 1}, {rows.data(), 4, m.count}, {columns, 4, 1}, groups_.k};
        if (tiles_ == staged_tiles::few_rows) {
            few_rows_gemm<T, Arch>(staged, usual_few_rows_way(blocking_of<T, Arch>.mr), lhs, rhs,
                                   stage_, {}, scratch_);
        } else {
            gemm<T, Arch>(staged, {.lhs = true, .rhs = false}, lhs, rhs, stage_, {}, scratch_);
        }
        permute<T, Arch>({moves.data(), 3, moved}, stage_, out, scale_, streams_);
    }

    gemm_groups groups_;
    staged_tiles tiles_;
    scaling<T> scale_;
    std::int64_t rows_;
    bool streams_;  ///< the whole output is DRAM-resident
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
