// What a product prefetches in advance: while the tiles of one block of "ij,jk->ik" are computed,
// the rows, columns or panels that are read next come into the caches.
#pragma once

#include <xeinsum/kernel/gemm/blocking.hpp>
#include <xeinsum/kernel/gemm/gemm_blocks.hpp>
#include <xeinsum/kernel/gemm/gemm_groups.hpp>
#include <xeinsum/kernel/gemm/gemm_memory.hpp>
#include <xeinsum/kernel/loop_nest.hpp>
#include <xeinsum/kernel/memory/cache.hpp>
#include <xeinsum/kernel/memory/prefetch.hpp>
#include <xeinsum/kernel/simd/simd.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace xeinsum::kernel {

/// How a panel is multiplied, as far as it decides what to prefetch.
struct panel_order {
    std::size_t height = 1;   ///< rows of a tile
    bool rows_meet = false;   ///< those of lhs, in few sets of the first-level cache
    bool along_rows = false;  ///< tiles follow each other along rows of the output
};

/// What is prefetched during a panel.
struct panel_requests {
    /// See macro_block::lhs_ahead.
    std::size_t lhs_ahead = 0;
    // Of an lhs that is read where it lies: the rows of a block, or the next block.
    bool rows = false;
    bool next_rows = false;
};

template <class T, class Arch>
class gemm_prefetch {
public:
    gemm_prefetch(const gemm_groups& groups, const gemm_packing& packing, const gemm_blocks& blocks)
        : groups_(groups),
          packing_(packing),
          blocks_(blocks),
          lhs_row_(inner_stride(groups.m, 1)),
          lhs_is_dram_resident_(lhs_comes_from_dram()),
          prefetches_columns_(reads_columns_from_dram()),
          prefetches_rhs_(reads_each_rhs_from_dram()) {}

    /// Tells which rhs is multiplied and which one is next, if another one is.
    void set_product(const T* rhs, const T* next) noexcept {
        if (prefetches_rhs_) {
            const bool other = next != nullptr && next != rhs;
            next_rhs_ = {next, inner_stride(groups_.k, 2),
                         other ? static_cast<std::size_t>(blocks_.depth()) : 0,
                         static_cast<std::size_t>(blocks_.columns()) * sizeof(T)};
        }
    }

    /// Rows of a DRAM-resident lhs are prefetched while those before them are multiplied: by each
    /// step of a tile where they lie close together, else a few lines with each tile. Not if they
    /// would push out those that are read, or are streams each. Where tiles go down columns, a
    /// block of rows is read from the second-level cache but for the first time.
    [[nodiscard]] panel_requests requests(const gemm_panel& panel,
                                          const panel_order& order) const noexcept {
        if (packing_.lhs || inner_stride(groups_.k, 1) != 1 || order.rows_meet) {
            return {};
        }
        panel_requests requests;
        const std::size_t bytes = panel.deep * sizeof(T);
        const bool from_dram = lhs_is_dram_resident_ && !hardware_prefetches_rows(panel.deep);
        const bool one_visit = panel.width <= nr || (order.along_rows && panel.segments > 1);
        if (from_dram && one_visit) {
            requests.lhs_ahead = bytes_of_tile(panel.segment, order.height);
        }
        requests.rows = from_dram && requests.lhs_ahead == 0 && order.along_rows &&
                        panel.segments == 1 && bytes >= prefetched_bytes;
        // The hardware prefetches rows of a page.
        requests.next_rows = !order.along_rows && panel.segments == 1 &&
                             reach_of_lhs() >= beyond_l2_elements<T> / 2 && bytes < page_bytes;
        return requests;
    }

    /// What is read after the block of some rows.
    [[nodiscard]] upcoming_lines<T> after(std::int64_t row, const gemm_panel& panel,
                                          const panel_requests& requests, const T* lhs,
                                          const T* rhs, gemm_buffers<T>& buffers) const {
        if (requests.rows) {
            return rows_after(row, panel, lhs);
        }
        if (packing_.lhs && !packing_.lhs_prepacked && lhs_is_dram_resident_) {
            return block_after(row, panel, lhs, buffers);
        }
        if (requests.next_rows && !(row == 0 && prefetches_columns_)) {
            return direct_block_after(row, panel, lhs);
        }
        if (row != 0) {
            return {};
        }
        return prefetches_columns_
                   ? columns_from(rhs, groups_.n, groups_.k, 2,
                                  panel.column + blocks_.block_columns(), blocks_.block_columns())
                   : next_rhs_;
    }

private:
    static constexpr blocking cut = blocking_of<T, Arch>;
    static constexpr std::size_t nr = cut.nv * simd<T, Arch>::lanes;
    // Measured; see docs/kernels/gemm.md.
    /// Rows of lhs that are shorter are prefetched in time by the hardware, if they are few at a
    /// time.
    static constexpr std::size_t prefetched_bytes = cut.mr > 8 ? 256 : 384;
    /// So much of a row that lies apart from the others is a stream.
    static constexpr std::size_t hardware_bytes = 1024;
    static constexpr std::size_t page_bytes = 4096;

    /// Elements of lhs in all products, with what lies between these.
    [[nodiscard]] std::int64_t reach_of_lhs() const noexcept {
        return span_of(groups_.batch, 1) + blocks_.rows() * blocks_.depth();
    }

    /// Whether lhs comes from DRAM: a large one, or one that is read where it
    /// lies while a much larger output passes through them.
    [[nodiscard]] bool lhs_comes_from_dram() const noexcept {
        const std::int64_t results =
            groups_.batch.iterations() * blocks_.rows() * blocks_.columns();
        const bool passes = !packing_.lhs && results >= 4 * beyond_l2_elements<T>;
        return reach_of_lhs() >= (passes ? beyond_l2_elements<T> / 4 : beyond_l2_elements<T>);
    }

    /// Whether each product reads a small rhs of its own from main memory where it lies.
    [[nodiscard]] bool reads_each_rhs_from_dram() const noexcept {
        return !packing_.rhs && groups_.k.count <= 1 && blocks_.depth() <= blocks_.block_depth() &&
               blocks_.columns() <= blocks_.block_columns() &&
               blocks_.columns() * blocks_.depth() <=
                   static_cast<std::int64_t>(cached_rhs_bytes / sizeof(T)) &&
               span_of(groups_.batch, 2) >= beyond_l2_elements<T>;
    }

    /// Whether rhs is packed from main memory, block after block of columns that lie side by side.
    [[nodiscard]] bool reads_columns_from_dram() const noexcept {
        return packing_.rhs && !packing_.rhs_prepacked && groups_.k.count == 1 &&
               blocks_.depth() <= blocks_.block_depth() &&
               blocks_.columns() > blocks_.block_columns() && inner_stride(groups_.n, 2) == 1 &&
               span_of(groups_.n, 2) + span_of(groups_.k, 2) >= beyond_l2_elements<T>;
    }

    /// Whether the hardware prefetches rows of lhs so far apart of which it reads so much.
    [[nodiscard]] bool hardware_prefetches_rows(std::size_t deep) const noexcept {
        return cores<Arch>::measured().prefetches_streams && deep * sizeof(T) >= hardware_bytes &&
               magnitude(lhs_row_) > static_cast<std::int64_t>(deep);
    }

    /// From a tile's rows of lhs to the next tile's, if rows follow each other so closely that a
    /// cache line for each step of a segment is all of them.
    [[nodiscard]] std::size_t bytes_of_tile(std::size_t segment,
                                            std::size_t height) const noexcept {
        const std::size_t bytes =
            static_cast<std::size_t>(magnitude(lhs_row_)) * height * sizeof(T);
        return lhs_row_ > 0 && bytes <= segment * line_bytes ? bytes : 0;
    }

    /// As many rows of an lhs that is not packed as a block has, from its second tile on.
    [[nodiscard]] upcoming_lines<T> rows_after(std::int64_t row, const gemm_panel& panel,
                                               const T* lhs) const noexcept {
        const std::int64_t begin = row + static_cast<std::int64_t>(cut.mr);
        if (begin >= blocks_.rows()) {
            return {};
        }
        return {lhs + begin * lhs_row_ + panel.begin, lhs_row_,
                std::min(blocks_.rows_at(row), blocks_.rows_at(begin)), panel.deep * sizeof(T)};
    }

    /// The block of lhs that is packed after one, if it is another one.
    [[nodiscard]] upcoming_lines<T> block_after(std::int64_t row, const gemm_panel& panel,
                                                const T* lhs, gemm_buffers<T>& buffers) const {
        gemm_blocks::place next;
        if (!blocks_.find_next(row, panel, next)) {
            return {};
        }
        return block_of(
            lhs, buffers.next_row.at(groups_.m, next.row, blocks_.rows_at(next.row), 1),
            buffers.next_depth.at(groups_.k, next.depth, blocks_.depth_at(next.depth), 1));
    }
    /// The same of an lhs that is read where it lies, along its depth.
    [[nodiscard]] upcoming_lines<T> direct_block_after(std::int64_t row, const gemm_panel& panel,
                                                       const T* lhs) const noexcept {
        gemm_blocks::place next;
        if (!blocks_.find_next(row, panel, next)) {
            return {};
        }
        return {lhs + next.row * lhs_row_ + next.depth, lhs_row_, blocks_.rows_at(next.row),
                blocks_.depth_at(next.depth) * sizeof(T)};
    }

    const gemm_groups groups_;
    const gemm_packing packing_;
    const gemm_blocks blocks_;
    const std::int64_t lhs_row_;  ///< from a row to the next, of an lhs that is not packed
    const bool lhs_is_dram_resident_;
    const bool prefetches_columns_;
    const bool prefetches_rhs_;
    upcoming_lines<T> next_rhs_{};
};

}  // namespace xeinsum::kernel
