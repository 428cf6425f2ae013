// Batched matrix products over groups of loops: "bhqd,bkhd->bhqk" is cut into blocks, which are
// packed or read where they lie and multiplied tile by tile.
#pragma once

#include <xeinsum/kernel/gemm/blocking.hpp>
#include <xeinsum/kernel/gemm/gemm_blocks.hpp>
#include <xeinsum/kernel/gemm/gemm_groups.hpp>
#include <xeinsum/kernel/gemm/gemm_memory.hpp>
#include <xeinsum/kernel/gemm/gemm_prefetch.hpp>
#include <xeinsum/kernel/gemm/macro_kernel.hpp>
#include <xeinsum/kernel/gemm/pack.hpp>
#include <xeinsum/kernel/gemm/prepacked_panels.hpp>
#include <xeinsum/kernel/loop_nest.hpp>
#include <xeinsum/kernel/memory/cache.hpp>
#include <xeinsum/kernel/memory/lines.hpp>
#include <xeinsum/kernel/scaling.hpp>
#include <xeinsum/kernel/simd/simd.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace xeinsum::kernel {

/// One batched product.
template <class T, class Arch>
class gemm_run {
public:
    /// Scratch has cut_memory(...).bytes() bytes, aligned to 64.
    gemm_run(const gemm_groups& groups, const gemm_packing& packing, const scaling<T>& scale,
             std::byte* scratch)
        : groups_(groups),
          packing_{packing.lhs || !fill_tiles(groups.m.iterations()), packing.rhs,
                   packing.lhs_prepacked, packing.rhs_prepacked},
          scale_(scale),
          further_(scale.accumulating()),
          blocks_(groups, packing, cut, nr, sizeof(T)),
          buffers_(blocks_.memory(), scratch),
          ahead_(groups, packing_, blocks_),
          rows_inside_(rows_lie_inside(groups)),
          streams_(streams_output()) {}

    void run(const T* lhs, const T* rhs, T* out) {
        odometer<3> batch(groups_.batch, {0, 1, 2});
        bool more = true;
        while (more) {
            const T* const lhs_here = lhs + batch.offset(1);
            const T* const rhs_here = rhs + batch.offset(2);
            T* const out_here = out + batch.offset(0);
            more = batch.next();
            ahead_.set_product(rhs_here, more ? rhs + batch.offset(2) : nullptr);
            multiply(lhs_here, rhs_here, out_here);
        }
        if (streams_) {
            simd<T, Arch>::end_stream();
        }
    }

    /// The panels of all rows of lhs, or of all columns of rhs, for one product.
    [[nodiscard]] prepacked_panels lhs_panels() const noexcept {
        return {blocks_.rows(), blocks_.depth(), blocks_.block_rows(), cut.mr};
    }
    [[nodiscard]] prepacked_panels rhs_panels() const noexcept {
        return {blocks_.columns(), blocks_.depth(), blocks_.block_columns(), nr};
    }
    /// Packs them for products of the same groups and packing.
    void prepack_lhs(const T* lhs, T* to) {
        for (std::int64_t i = 0; i < blocks_.rows(); i += blocks_.block_rows()) {
            for (std::int64_t p = 0; p < blocks_.depth(); p += blocks_.block_depth()) {
                pack_lhs(lhs, i, p, to + lhs_panels().offset(i, p));
            }
        }
    }
    void prepack_rhs(const T* rhs, T* to) {
        for (std::int64_t j = 0; j < blocks_.columns(); j += blocks_.block_columns()) {
            for (std::int64_t p = 0; p < blocks_.depth(); p += blocks_.block_depth()) {
                pack_rhs(rhs, {j, blocks_.columns_at(j), p}, to + rhs_panels().offset(j, p));
            }
        }
    }

private:
    static constexpr blocking cut = blocking_of<T, Arch>;
    static constexpr std::size_t nr = cut.nv * simd<T, Arch>::lanes;
    // Measured on AVX2 with one core; see docs/kernels/gemm.md.
    /// Depth up to which writing the output takes longer than reading rhs from the second-level
    /// cache.
    static constexpr std::size_t shallow_depth = cut.kc * 3 / 8;
    /// More rows pay for packing a register of columns, so that it fills a tile with what is left.
    static constexpr std::int64_t packing_rows = 4 * cut.mr;
    /// An output so large is not kept by the caches. It is written by non-temporal stores, which
    /// spares reading it first, unless tiles jump between rows so long that memory cannot follow.
    static constexpr double streamed_output_bytes = 8 << 20U;
    static constexpr std::size_t streamed_row_bytes = 16384;

    /// Columns of rhs in a buffer or where they lie.
    struct columns_place {
        std::int64_t begin = 0;
        std::size_t count = 0;
        std::int64_t depth = 0;
    };
    /// What a buffer holds: nothing is packed twice in a row.
    struct packed_block {
        const T* of = nullptr;
        std::int64_t line = -1;
        std::int64_t depth = -1;
        friend bool operator==(const packed_block&, const packed_block&) = default;
    };

    /// Whether tiles need no rows that are not there: a panel has zeros in their place.
    [[nodiscard]] static bool fill_tiles(std::int64_t rows) noexcept {
        const auto count = least(cut.mr, rows);
        return tile_height(count, cut.mr, false) == count;
    }

    /// Whether all rows of the output lie between two short runs of columns: going down the columns
    /// then writes it in order.
    [[nodiscard]] static bool rows_lie_inside(const gemm_groups& groups) noexcept {
        const loops& n = groups.n;
        return n.count > 1 && n.extent(n.count - 1) < static_cast<std::int64_t>(2 * nr) &&
               magnitude(n.stride(n.count - 2, 0)) > span_of(groups.m, 0);
    }

    /// Whether a large output is written once and in order: its short rows are whole cache lines
    /// and follow each other.
    [[nodiscard]] bool streams_output() const {
        constexpr auto line = static_cast<std::int64_t>(line_elements<T>);
        constexpr auto longest = static_cast<std::int64_t>(streamed_row_bytes / sizeof(T));
        const std::int64_t columns = blocks_.columns();
        const bool in_order = groups_.m.count == 1 && groups_.n.count == 1 &&
                              groups_.n.stride(0, 0) == 1 && groups_.m.stride(0, 0) == columns &&
                              columns % line == 0;
        return is_line<T, Arch>() && cores<Arch>::measured().stores_tiles_non_temporally &&
               in_order && columns <= longest && blocks_.depth() <= blocks_.block_depth() &&
               !scale_.adds() &&
               static_cast<double>(groups_.batch.iterations()) *
                       static_cast<double>(blocks_.rows() * columns) * sizeof(T) >=
                   streamed_output_bytes;
    }

    /// The depth of an operand that is not packed. Writes where its segments begin.
    [[nodiscard]] tile_source<T> direct_source(const T* from, std::ptrdiff_t line,
                                               std::size_t array, const gemm_panel& panel,
                                               std::int64_t* segments) const {
        const std::int64_t step = inner_stride(groups_.k, array);
        if (groups_.k.count <= 1) {
            segments[0] = panel.begin * step;
        } else {
            odometer<1> position(groups_.k.first(groups_.k.count - 1), {array});
            position.seek(panel.begin / blocks_.segment());
            for (std::size_t s = 0; s < panel.segments; ++s) {
                segments[s] = position.offset(0);
                position.next();
            }
        }
        return {from, line, step, segments};
    }
    /// The same of packed panels, whose depths are width elements apart.
    [[nodiscard]] static tile_source<T> packed_source(const T* from, std::size_t width,
                                                      const gemm_panel& panel,
                                                      std::int64_t* segments) {
        for (std::size_t s = 0; s < panel.segments; ++s) {
            segments[s] = static_cast<std::int64_t>(s * panel.segment * width);
        }
        return {from, 1, static_cast<std::ptrdiff_t>(width), segments};
    }

    void multiply(const T* lhs, const T* rhs, T* out) {
        for (std::int64_t j = 0; j < blocks_.columns(); j += blocks_.block_columns()) {
            for (std::int64_t p = 0; p < blocks_.depth(); p += blocks_.block_depth()) {
                multiply_panel(lhs, rhs, out, blocks_.panel(j, p));
            }
        }
    }

    void multiply_panel(const T* lhs, const T* rhs, T* out, const gemm_panel& panel) {
        const tile_depth depth{panel.segments, panel.segment};
        const line_offsets& columns =
            buffers_.column_out.at(groups_.n, panel.column, panel.width, 0);
        const auto step = static_cast<std::ptrdiff_t>(panel.deep);

        // Columns that are read where they lie, then those that are packed: all, or what is left.
        struct {
            tile_source<T> rhs{};
            std::ptrdiff_t column = 1;  ///< from one to the next in rhs
            line_offsets out{};
        } parts[2];
        using tiles = tile_kernels<T, Arch, cut.mr, cut.nv>;
        const std::size_t direct =
            packing_.rhs ? 0 : tiles::exact_columns(panel.width, blocks_.rows() > packing_rows);
        const std::size_t packed = panel.width - direct;
        if (direct > 0) {
            parts[0] = {
                direct_source(rhs + panel.column, 1, 2, panel, buffers_.direct_rhs_segments), 1,
                columns.sub(0, direct)};
        }
        if (packed > 0) {
            const std::int64_t begin = panel.column + static_cast<std::int64_t>(direct);
            const T* const panels = packing_.rhs_prepacked
                                        ? rhs + rhs_panels().offset(panel.column, panel.begin)
                                        : hold_rhs(rhs, {begin, packed, panel.begin});
            parts[1] = {packed_source(panels, nr, panel, buffers_.rhs_segments), step,
                        columns.sub(direct, packed)};
        }
        const std::ptrdiff_t lhs_row = packing_.lhs ? step : inner_stride(groups_.m, 1);
        tile_source<T> lhs_rows =
            packing_.lhs ? packed_source(buffers_.packed_lhs, cut.mr, panel, buffers_.lhs_segments)
                         : direct_source(lhs, lhs_row, 1, panel, buffers_.lhs_segments);
        // A tile reads its rows of lhs again for each element of a cache line.
        const bool meet =
            !packing_.lhs && share_a_set(lhs_row * static_cast<std::int64_t>(sizeof(T)));
        const std::size_t height = meet ? std::min(cut.mr, cache_ways) : cut.mr;
        const bool along_rows =
            !rows_inside_ && (panel.deep <= shallow_depth ||
                              panel.width * panel.deep * sizeof(T) <= cached_rhs_bytes);
        const panel_requests requests = ahead_.requests(panel, {height, meet, along_rows});
        const scaling<T>& scale = panel.begin == 0 ? scale_ : further_;

        for (std::int64_t i = 0; i < blocks_.rows(); i += blocks_.block_rows()) {
            const line_offsets& rows = buffers_.row_out.at(groups_.m, i, blocks_.rows_at(i), 0);
            lhs_rows.from = packing_.lhs_prepacked ? lhs + lhs_panels().offset(i, panel.begin)
                            : packing_.lhs         ? hold_lhs(lhs, i, panel.begin)
                                                   : lhs + i * lhs_row;
            upcoming_lines<T> upcoming = ahead_.after(i, panel, requests, lhs, rhs, buffers_);
            for (const auto& part : parts) {
                if (part.out.count > 0) {
                    macro_kernel<T, Arch, cut.mr, cut.nv>(
                        {{out, rows, part.out},
                         depth,
                         lhs_rows,
                         part.rhs,
                         streams_,
                         requests.lhs_ahead},
                        {height, lhs_row, part.column, along_rows, !packing_.lhs}, scale, upcoming);
                    upcoming = {};
                }
            }
        }
    }

    /// A block of lhs in the buffer.
    const T* hold_lhs(const T* lhs, std::int64_t row, std::int64_t depth) {
        const packed_block wanted{lhs, row, depth};
        if (held_lhs_ != wanted) {
            held_lhs_ = wanted;
            pack_lhs(lhs, row, depth, buffers_.packed_lhs);
        }
        return buffers_.packed_lhs;
    }
    const T* hold_rhs(const T* rhs, const columns_place& columns) {
        const packed_block wanted{rhs, columns.begin, columns.depth};
        if (held_rhs_ != wanted) {
            held_rhs_ = wanted;
            pack_rhs(rhs, columns, buffers_.packed_rhs);
        }
        return buffers_.packed_rhs;
    }
    void pack_lhs(const T* lhs, std::int64_t row, std::int64_t depth, T* to) {
        packer<T, Arch>(cut.mr).pack(
            lhs, buffers_.row_lhs.at(groups_.m, row, blocks_.rows_at(row), 1),
            buffers_.depth_lhs.at(groups_.k, depth, blocks_.depth_at(depth), 1), to);
    }
    void pack_rhs(const T* rhs, const columns_place& columns, T* to) {
        const bool from_dram = span_of(groups_.batch, 2) + blocks_.columns() * blocks_.depth() >=
                               beyond_l2_elements<T>;
        packer<T, Arch>(nr).pack(
            rhs, buffers_.column_rhs.at(groups_.n, columns.begin, columns.count, 2),
            buffers_.depth_rhs.at(groups_.k, columns.depth, blocks_.depth_at(columns.depth), 2), to,
            from_dram && groups_.k.count > 1);
    }

    const gemm_groups groups_;
    const gemm_packing packing_;
    const scaling<T> scale_;
    const scaling<T> further_;
    const gemm_blocks blocks_;
    gemm_buffers<T> buffers_;
    gemm_prefetch<T, Arch> ahead_;
    const bool rows_inside_;
    const bool streams_;
    packed_block held_lhs_{}, held_rhs_{};
};

/// out = scale(product of lhs and rhs, summed over k) for every batch. No array overlaps out.
template <class T, class Arch>
void gemm(const gemm_groups& groups, const gemm_packing& packing, const T* lhs, const T* rhs,
          T* out, const scaling<T>& scale, std::byte* scratch) {
    gemm_run<T, Arch>(groups, packing, scale, scratch).run(lhs, rhs, out);
}

}  // namespace xeinsum::kernel
