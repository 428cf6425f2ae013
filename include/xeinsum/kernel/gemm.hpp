// Batched matrix products over groups of loops: in "bhqd,bkhd->bhqk" the batch is b h, the rows q,
// the columns k and the depth d, wherever they lie in memory.
#pragma once

#include <xeinsum/kernel/arrange.hpp>
#include <xeinsum/kernel/blocking.hpp>
#include <xeinsum/kernel/cache.hpp>
#include <xeinsum/kernel/fetch_ahead.hpp>
#include <xeinsum/kernel/gemm_memory.hpp>
#include <xeinsum/kernel/kept_panels.hpp>
#include <xeinsum/kernel/lines.hpp>
#include <xeinsum/kernel/loop_nest.hpp>
#include <xeinsum/kernel/macro_kernel.hpp>
#include <xeinsum/kernel/pack.hpp>
#include <xeinsum/kernel/scaling.hpp>

#include <algorithm>
#include <array>
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

/// Which operands are copied into panels first. The others are read where they lie:
/// lhs needs one loop m, rhs one loop n of stride 1, and either a depth that direct_depth() takes.
struct gemm_packing {
    bool lhs = true;
    bool rhs = true;
    // What is to be packed but is in panels already, those that keep_lhs and keep_rhs wrote.
    bool lhs_kept = false;
    bool rhs_kept = false;
};

/// Whether a block of depth can be read in equal segments from operands that are not packed.
[[nodiscard]] constexpr bool direct_depth(const loops& k, std::size_t kc) noexcept {
    return k.count <= 1 || k.extent(k.count - 1) <= static_cast<std::int64_t>(kc);
}

/// One batched product.
template <class T, class Arch>
class gemm_run {
public:
    /// Scratch has cut_memory(...).bytes() bytes, aligned to 64.
    gemm_run(const gemm_groups& groups, const gemm_packing& packing, const scaling<T>& scale,
             std::byte* scratch)
        : groups_(groups),
          packing_(packing),
          scale_(scale),
          further_(scale.accumulating()),
          rows_(groups.m.iterations()),
          columns_(groups.n.iterations()),
          depth_(groups.k.iterations()),
          rows_inside_(rows_lie_inside(groups)),
          memory_(cut_memory(cut, nr, sizeof(T), rows_, columns_, depth_)),
          buffers_(memory_, scratch) {
        choose_blocks();
        lhs_is_far_ = lhs_comes_from_far();
        lhs_leaves_second_cache_ = reach_of_lhs() >= far_elements<T> / 2;
        rhs_is_far_ = span(groups.batch, 2) + columns_ * depth_ >= far_elements<T>;
        streams_ = streams_output();
        fetches_next_lhs_ = packing_.lhs && !packing_.lhs_kept && lhs_is_far_;
        fetches_block_ = fetches_next_block();
    }

    void run(const T* lhs, const T* rhs, T* out) {
        odometer<3> batch(groups_.batch, {0, 1, 2});
        const bool fetches = fetches_next_rhs();
        bool more = true;
        while (more) {
            const T* const lhs_here = lhs + batch.offset(1);
            const T* const rhs_here = rhs + batch.offset(2);
            T* const out_here = out + batch.offset(0);
            more = batch.next();
            const T* const rhs_next = rhs + batch.offset(2);
            if (fetches) {
                next_rhs_.from = rhs_next;
                next_rhs_.count =
                    more && rhs_next != rhs_here ? static_cast<std::size_t>(depth_) : 0;
            }
            multiply(lhs_here, rhs_here, out_here);
        }
        if (streams_) {
            simd<T, Arch>::end_stream();
        }
    }

    /// The panels of all rows of lhs, or of all columns of rhs, for one product.
    [[nodiscard]] kept_panels lhs_panels() const noexcept {
        return {rows_, depth_, static_cast<std::int64_t>(memory_.mc), cut.mr};
    }
    [[nodiscard]] kept_panels rhs_panels() const noexcept {
        return {columns_, depth_, block_columns_, nr};
    }
    /// Packs them for products of the same groups and packing.
    void keep_lhs(const T* lhs, T* to) {
        for_each_block(rows_, static_cast<std::int64_t>(memory_.mc),
                       [&](std::int64_t i, std::size_t high, std::int64_t p, std::size_t deep) {
                           pack_lhs(lhs, i, high, p, deep, to + lhs_panels().offset(i, p));
                       });
    }
    void keep_rhs(const T* rhs, T* to) {
        for_each_block(columns_, block_columns_,
                       [&](std::int64_t j, std::size_t width, std::int64_t p, std::size_t deep) {
                           pack_rhs(rhs, j, width, p, deep, to + rhs_panels().offset(j, p));
                       });
    }

private:
    static constexpr blocking cut = blocking_of<T, Arch>;
    static constexpr std::size_t nr = cut.nv * simd<T, Arch>::lanes;
    // Measured on AVX2 with one core; see docs/performance.md.
    /// Depth up to which writing the output takes longer than reading rhs from the second-level
    /// cache.
    static constexpr std::size_t shallow_depth = cut.kc * 3 / 8;
    /// A block of rhs so small stays near whatever is read between.
    static constexpr std::size_t near_rhs_bytes = std::size_t{128} << 10U;
    /// Rows of lhs that are shorter are fetched in time by the hardware, if they are few at a time.
    static constexpr std::size_t fetched_bytes = cut.mr > 8 ? 256 : 384;
    /// So much of a row that lies apart from the others is a stream.
    static constexpr std::size_t foreseen_bytes = 1024;
    static constexpr std::size_t page_bytes = 4096;
    /// More rows pay for packing a register of columns, so that it fills a tile with what is left.
    static constexpr std::int64_t packing_rows = 4 * cut.mr;
    /// An output so large is not kept by the caches. It is written around them, which spares
    /// reading it first, unless tiles jump between rows so long that memory cannot follow.
    static constexpr double streamed_output_bytes = 8 << 20U;
    static constexpr std::size_t streamed_row_bytes = 16384;

    /// What a buffer holds: nothing is packed twice in a row.
    struct packed_block {
        const T* of = nullptr;
        std::int64_t line = -1;
        std::int64_t depth = -1;
        friend bool operator==(const packed_block&, const packed_block&) = default;
    };

    /// Elements from the first to the last that some loops reach in an array.
    [[nodiscard]] static std::int64_t span(const loops& over, std::size_t array) noexcept {
        std::int64_t elements = 0;
        for (std::size_t m = 0; m < over.count; ++m) {
            elements += (over.extent(m) - 1) * magnitude(over.stride(m, array));
        }
        return elements;
    }
    /// Whether all rows of the output lie between two short runs of columns: going down the columns
    /// then writes it in order.
    [[nodiscard]] static bool rows_lie_inside(const gemm_groups& groups) noexcept {
        const loops& n = groups.n;
        return n.count > 1 && n.extent(n.count - 1) < static_cast<std::int64_t>(2 * nr) &&
               magnitude(n.stride(n.count - 2, 0)) > span(groups.m, 0);
    }

    [[nodiscard]] bool packs_all() const noexcept { return packing_.lhs && packing_.rhs; }

    /// The most iterations up to limit that hold whole runs of the inner loops.
    [[nodiscard]] static std::int64_t whole_loops(const loops& over, std::size_t limit) noexcept {
        const auto most = static_cast<std::int64_t>(limit);
        std::int64_t unit = 1;
        for (std::size_t m = over.count; m-- > 0 && unit * over.extent(m) <= most;) {
            unit *= over.extent(m);
        }
        return most / unit * unit;
    }

    /// Cuts columns and depth into blocks of whole inner loops.
    void choose_blocks() {
        block_columns_ = whole_loops(groups_.n, memory_.nc);
        block_depth_ = groups_.k.count <= 1 ? static_cast<std::int64_t>(depth_of_block(cut, depth_))
                                            : whole_loops(groups_.k, std::min(memory_.kc, cut.kc));
        segment_ = block_depth_;
        if (!packs_all() && groups_.k.count > 1) {
            segment_ = groups_.k.extent(groups_.k.count - 1);
            block_depth_ = block_depth_ / segment_ * segment_;
        }
    }

    /// The stride in array of the innermost loop, 0 where there is none.
    [[nodiscard]] static std::int64_t inner_stride(const loops& over, std::size_t array) {
        return over.count == 0 ? 0 : over.stride(over.count - 1, array);
    }

    [[nodiscard]] static std::size_t left(std::int64_t total, std::int64_t begin,
                                          std::size_t block) {
        return static_cast<std::size_t>(std::min(total - begin, static_cast<std::int64_t>(block)));
    }

    /// The depth from p on of an operand that is not packed. Writes where its segments begin.
    [[nodiscard]] tile_source<T> direct_source(const T* from, std::ptrdiff_t line,
                                               std::size_t array, std::int64_t p, std::size_t count,
                                               std::int64_t* segments) const {
        const std::int64_t step = inner_stride(groups_.k, array);
        if (groups_.k.count <= 1) {
            segments[0] = p * step;
        } else {
            odometer<1> position(groups_.k.first(groups_.k.count - 1), {array});
            position.seek(p / segment_);
            for (std::size_t s = 0; s < count; ++s) {
                segments[s] = position.offset(0);
                position.next();
            }
        }
        return {from, line, step, segments};
    }
    /// The same of packed panels, whose depths are width elements apart.
    [[nodiscard]] static tile_source<T> packed_source(const T* from, std::size_t width,
                                                      const tile_depth& depth,
                                                      std::int64_t* segments) {
        for (std::size_t s = 0; s < depth.segments; ++s) {
            segments[s] = static_cast<std::int64_t>(s * depth.length * width);
        }
        return {from, 1, static_cast<std::ptrdiff_t>(width), segments};
    }

    /// body(line, lines, depth, how deep) for all blocks of an operand with so many lines.
    template <class Body>
    void for_each_block(std::int64_t lines, std::int64_t block, Body body) const {
        for (std::int64_t line = 0; line < lines; line += block) {
            for (std::int64_t p = 0; p < depth_; p += block_depth_) {
                body(line, left(lines, line, static_cast<std::size_t>(block)), p,
                     left(depth_, p, static_cast<std::size_t>(block_depth_)));
            }
        }
    }

    /// Elements of lhs in all products, with what lies between these.
    [[nodiscard]] std::int64_t reach_of_lhs() const noexcept {
        return span(groups_.batch, 1) + rows_ * depth_;
    }

    /// Whether lhs comes from behind the near caches: a large one, or one that is read where it
    /// lies while a much larger output passes through them.
    [[nodiscard]] bool lhs_comes_from_far() const {
        const std::int64_t results = groups_.batch.iterations() * rows_ * columns_;
        const bool passes = !packing_.lhs && results >= 4 * far_elements<T>;
        return reach_of_lhs() >= (passes ? far_elements<T> / 4 : far_elements<T>);
    }

    /// Whether each product reads a small rhs of its own from main memory where it lies. Sets how
    /// the next one lies.
    [[nodiscard]] bool fetches_next_rhs() {
        if (packing_.rhs || groups_.k.count > 1 || depth_ > block_depth_ ||
            columns_ > block_columns_ ||
            columns_ * depth_ > static_cast<std::int64_t>(near_rhs_bytes / sizeof(T))) {
            return false;
        }
        next_rhs_.line = inner_stride(groups_.k, 2);
        next_rhs_.bytes = static_cast<std::size_t>(columns_) * sizeof(T);
        return span(groups_.batch, 2) >= far_elements<T>;
    }

    /// Whether rhs is packed from main memory, block after block of columns that lie side by side.
    [[nodiscard]] bool fetches_next_block() const {
        return packing_.rhs && !packing_.rhs_kept && groups_.k.count == 1 &&
               depth_ <= block_depth_ && columns_ > block_columns_ &&
               inner_stride(groups_.n, 2) == 1 &&
               span(groups_.n, 2) + span(groups_.k, 2) >= far_elements<T>;
    }

    /// Whether a large output is written once and in order: its short rows are whole cache lines
    /// and follow each other.
    [[nodiscard]] bool streams_output() const {
        constexpr auto line = static_cast<std::int64_t>(line_elements<T>);
        constexpr auto longest = static_cast<std::int64_t>(streamed_row_bytes / sizeof(T));
        const bool in_order = groups_.m.count == 1 && groups_.n.count == 1 &&
                              groups_.n.stride(0, 0) == 1 && groups_.m.stride(0, 0) == columns_ &&
                              columns_ % line == 0;
        return is_line<T, Arch>() && tiles_leave_around_caches && in_order && columns_ <= longest &&
               depth_ <= block_depth_ && !scale_.adds() &&
               static_cast<double>(groups_.batch.iterations()) *
                       static_cast<double>(rows_ * columns_) * sizeof(T) >=
                   streamed_output_bytes;
    }

    void multiply(const T* lhs, const T* rhs, T* out) {
        for (std::int64_t j = 0; j < columns_; j += block_columns_) {
            const std::size_t width = left(columns_, j, static_cast<std::size_t>(block_columns_));
            for (std::int64_t p = 0; p < depth_; p += block_depth_) {
                multiply_panel(lhs, rhs, out, j, width, p);
            }
        }
    }

    /// All rows of width columns from j on, for the depth from p on.
    void multiply_panel(const T* lhs, const T* rhs, T* out, std::int64_t j, std::size_t width,
                        std::int64_t p) {
        const std::size_t deep = left(depth_, p, static_cast<std::size_t>(block_depth_));
        const auto segment = std::min(static_cast<std::size_t>(segment_), deep);
        const std::size_t segments = deep / segment;
        const tile_depth depth{segments, segment};
        const line_offsets& columns = buffers_.column_out.at(groups_.n, j, width, 0);
        const auto step = static_cast<std::ptrdiff_t>(deep);

        // Columns that are read where they lie, then those that are packed: all, or what is left.
        using tiles = tile_kernels<T, Arch, cut.mr, cut.nv>;
        const std::size_t direct =
            packing_.rhs ? 0 : tiles::exact_columns(width, rows_ > packing_rows);
        tile_source<T> rhs_direct;
        if (direct > 0) {
            rhs_direct = direct_source(rhs + j, 1, 2, p, segments, buffers_.direct_rhs_segments);
        }
        tile_source<T> rhs_packed;
        if (direct < width) {
            const T* const panels =
                packing_.rhs_kept
                    ? rhs + rhs_panels().offset(j, p)
                    : hold_rhs(rhs, j + static_cast<std::int64_t>(direct), width - direct, p, deep);
            rhs_packed = packed_source(panels, nr, depth, buffers_.rhs_segments);
        }
        const std::ptrdiff_t lhs_row = packing_.lhs ? step : inner_stride(groups_.m, 1);
        tile_source<T> lhs_rows =
            packing_.lhs ? packed_source(buffers_.packed_lhs, cut.mr, depth, buffers_.lhs_segments)
                         : direct_source(lhs, lhs_row, 1, p, segments, buffers_.lhs_segments);
        // A tile reads its rows of lhs again for each element of a cache line.
        const bool meet =
            !packing_.lhs && share_a_set(lhs_row * static_cast<std::int64_t>(sizeof(T)));
        const std::size_t height = meet ? std::min(cut.mr, cache_ways) : cut.mr;
        const scaling<T>& scale = p == 0 ? scale_ : further_;
        const bool along_rows =
            !rows_inside_ && (deep <= shallow_depth || width * deep * sizeof(T) <= near_rhs_bytes);
        // Rows of a far lhs are asked for while those before them are multiplied: by each step of a
        // tile where they lie close together, else a few lines with each tile. Not if they would
        // push out those that are read, or are streams each.
        const bool asks_for_rows = !packing_.lhs && lhs_rows.step == 1 && !meet;
        const bool comes_from_far = asks_for_rows && lhs_is_far_ && !are_foreseen(lhs_row, deep);
        const bool one_visit = width <= nr || (along_rows && segments > 1);
        const std::size_t lhs_ahead =
            comes_from_far && one_visit ? bytes_of_tile(lhs_row, segment, height) : 0;
        const bool fetches_lhs = comes_from_far && lhs_ahead == 0 && along_rows && segments == 1 &&
                                 deep * sizeof(T) >= fetched_bytes;
        // Where tiles go down columns, a block of rows is read from the second-level cache but for
        // the first time. The machine foresees rows of a page.
        const bool fetches_next_rows = asks_for_rows && !along_rows && segments == 1 &&
                                       lhs_leaves_second_cache_ && deep * sizeof(T) < page_bytes;

        for (std::int64_t i = 0; i < rows_; i += static_cast<std::int64_t>(memory_.mc)) {
            const std::size_t high = left(rows_, i, memory_.mc);
            const line_offsets& rows = buffers_.row_out.at(groups_.m, i, high, 0);
            lhs_rows.from = packing_.lhs_kept ? lhs + lhs_panels().offset(i, p)
                            : packing_.lhs    ? hold_lhs(lhs, i, high, p, deep)
                                              : lhs + i * lhs_row;
            const auto multiply_columns = [&](const tile_source<T>& from, std::ptrdiff_t column,
                                              const line_offsets& to,
                                              const upcoming_lines<T>& upcoming) {
                macro_kernel<T, Arch, cut.mr, cut.nv>(
                    {{out, rows, to}, depth, lhs_rows, from, streams_, lhs_ahead},
                    {height, lhs_row, column, along_rows}, scale, upcoming);
            };
            upcoming_lines<T> upcoming;
            if (fetches_lhs) {
                upcoming = rows_after(lhs, i, high, p, deep);
            } else if (fetches_next_lhs_) {
                upcoming = block_after(lhs, i, p, j);
            } else if (fetches_next_rows && !(i == 0 && fetches_block_)) {
                upcoming = direct_block_after(lhs, i, p, j);
            } else if (i == 0) {
                upcoming = fetches_block_ ? columns_from(rhs, groups_.n, groups_.k, 2,
                                                         j + block_columns_, block_columns_)
                                          : next_rhs_;
            }
            if (direct > 0) {
                multiply_columns(rhs_direct, 1, columns.sub(0, direct), upcoming);
            }
            if (direct < width) {
                multiply_columns(rhs_packed, step, columns.sub(direct, width - direct),
                                 direct == 0 ? upcoming : upcoming_lines<T>());
            }
        }
    }

    /// Whether the machine foresees rows of lhs so far apart of which it reads so much.
    [[nodiscard]] static constexpr bool are_foreseen(std::ptrdiff_t row,
                                                     std::size_t deep) noexcept {
        return foresees_streams && deep * sizeof(T) >= foreseen_bytes &&
               magnitude(row) > static_cast<std::int64_t>(deep);
    }

    /// From a tile's rows of lhs to the next tile's, if rows follow each other so closely that a
    /// cache line for each step of a segment is all of them.
    [[nodiscard]] static std::size_t bytes_of_tile(std::ptrdiff_t row, std::size_t segment,
                                                   std::size_t height) noexcept {
        const std::size_t bytes = static_cast<std::size_t>(magnitude(row)) * height * sizeof(T);
        return row > 0 && bytes <= segment * line_bytes ? bytes : 0;
    }

    /// count rows of an lhs that is not packed, from the second micro-tile of a block on.
    [[nodiscard]] upcoming_lines<T> rows_after(const T* lhs, std::int64_t block, std::size_t count,
                                               std::int64_t p, std::size_t deep) const {
        const std::int64_t begin = block + static_cast<std::int64_t>(cut.mr);
        if (begin >= rows_) {
            return {};
        }
        const std::int64_t row = inner_stride(groups_.m, 1);
        return {lhs + begin * row + p, row, left(rows_, begin, count), deep * sizeof(T)};
    }

    /// Where a block of lhs begins.
    struct block_place {
        std::int64_t row = 0;
        std::int64_t depth = 0;
    };
    /// Whether another block of lhs comes after one. Sets where it begins.
    [[nodiscard]] bool find_next_block(std::int64_t i, std::int64_t p, std::int64_t j,
                                       block_place& next) const {
        const auto mc = static_cast<std::int64_t>(memory_.mc);
        const bool next_depth = i + mc >= rows_;
        const bool next_columns = next_depth && p + block_depth_ >= depth_;
        next = {next_depth ? 0 : i + mc, next_columns ? 0 : next_depth ? p + block_depth_ : p};
        return (rows_ > mc || depth_ > block_depth_) &&
               !(next_columns && j + block_columns_ >= columns_);
    }
    /// The block of lhs that is packed after one, if it is another one.
    [[nodiscard]] upcoming_lines<T> block_after(const T* lhs, std::int64_t i, std::int64_t p,
                                                std::int64_t j) {
        block_place next;
        if (!find_next_block(i, p, j, next)) {
            return {};
        }
        return block_of(
            lhs, buffers_.next_row.at(groups_.m, next.row, left(rows_, next.row, memory_.mc), 1),
            buffers_.next_depth.at(groups_.k, next.depth,
                                   left(depth_, next.depth, static_cast<std::size_t>(block_depth_)),
                                   1));
    }
    /// The same of an lhs that is read where it lies, along its depth.
    [[nodiscard]] upcoming_lines<T> direct_block_after(const T* lhs, std::int64_t i, std::int64_t p,
                                                       std::int64_t j) const {
        block_place next;
        if (!find_next_block(i, p, j, next)) {
            return {};
        }
        const std::int64_t row = inner_stride(groups_.m, 1);
        return {lhs + next.row * row + next.depth, row, left(rows_, next.row, memory_.mc),
                left(depth_, next.depth, static_cast<std::size_t>(block_depth_)) * sizeof(T)};
    }

    /// A block of lhs in the buffer.
    const T* hold_lhs(const T* lhs, std::int64_t i, std::size_t high, std::int64_t p,
                      std::size_t deep) {
        const packed_block wanted{lhs, i, p};
        if (held_lhs_ != wanted) {
            held_lhs_ = wanted;
            pack_lhs(lhs, i, high, p, deep, buffers_.packed_lhs);
        }
        return buffers_.packed_lhs;
    }
    const T* hold_rhs(const T* rhs, std::int64_t j, std::size_t width, std::int64_t p,
                      std::size_t deep) {
        const packed_block wanted{rhs, j, p};
        if (held_rhs_ != wanted) {
            held_rhs_ = wanted;
            pack_rhs(rhs, j, width, p, deep, buffers_.packed_rhs);
        }
        return buffers_.packed_rhs;
    }
    void pack_lhs(const T* lhs, std::int64_t i, std::size_t high, std::int64_t p, std::size_t deep,
                  T* to) {
        packer<T, Arch, cut.mr>::pack(lhs, buffers_.row_lhs.at(groups_.m, i, high, 1),
                                      buffers_.depth_lhs.at(groups_.k, p, deep, 1), to);
    }
    void pack_rhs(const T* rhs, std::int64_t j, std::size_t width, std::int64_t p, std::size_t deep,
                  T* to) {
        packer<T, Arch, nr>::pack(rhs, buffers_.column_rhs.at(groups_.n, j, width, 2),
                                  buffers_.depth_rhs.at(groups_.k, p, deep, 2), to,
                                  rhs_is_far_ && groups_.k.count > 1);
    }

    const gemm_groups groups_;
    const gemm_packing packing_;
    const scaling<T> scale_;
    const scaling<T> further_;
    const std::int64_t rows_;
    const std::int64_t columns_;
    const std::int64_t depth_;
    const bool rows_inside_;
    const gemm_memory memory_;
    gemm_buffers<T> buffers_;
    std::int64_t block_columns_ = 1;
    std::int64_t block_depth_ = 1;
    std::int64_t segment_ = 1;
    bool lhs_is_far_ = false;
    bool lhs_leaves_second_cache_ = false;
    bool rhs_is_far_ = false;
    bool streams_ = false;
    bool fetches_block_ = false;
    bool fetches_next_lhs_ = false;
    packed_block held_lhs_{}, held_rhs_{};
    upcoming_lines<T> next_rhs_{};  ///< of the next product, where it is fetched
};

/// out = scale(product of lhs and rhs, summed over k) for every batch. No array overlaps out.
template <class T, class Arch>
void gemm(const gemm_groups& groups, const gemm_packing& packing, const T* lhs, const T* rhs,
          T* out, const scaling<T>& scale, std::byte* scratch) {
    gemm_run<T, Arch>(groups, packing, scale, scratch).run(lhs, rhs, out);
}

}  // namespace xeinsum::kernel
