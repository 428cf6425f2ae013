// How a product is cut: "ij,jk->ik" on (4000,1000) and (1000,6000) into blocks of columns and
// depth, whose panels of rhs stay in the caches while blocks of rows pass.
#pragma once

#include <xeinsum/kernel/gemm/blocking.hpp>
#include <xeinsum/kernel/gemm/gemm_groups.hpp>
#include <xeinsum/kernel/gemm/gemm_memory.hpp>
#include <xeinsum/kernel/loop_nest.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace xeinsum::kernel {

/// A block of rhs so small stays in L2 whatever is read between.
inline constexpr std::size_t cached_rhs_bytes = std::size_t{128} << 10U;

/// All rows of some columns, summed over some of the depth.
struct gemm_panel {
    std::int64_t column = 0;
    std::size_t width = 0;
    std::int64_t begin = 0;  ///< where the depth begins
    std::size_t deep = 0;
    // Of the depth, whose steps are equal inside of a segment where operands lie.
    std::size_t segments = 1;
    std::size_t segment = 1;
};

/// The blocks of one product.
class gemm_blocks {
public:
    /// Where a block of lhs begins.
    struct place {
        std::int64_t row = 0;
        std::int64_t depth = 0;
        friend bool operator==(const place&, const place&) = default;
    };

    /// nr is the width of b's micro-tile.
    constexpr gemm_blocks(const gemm_groups& groups, const gemm_packing& packing, const blocking& b,
                          std::size_t nr, std::size_t element_bytes) noexcept
        : rows_(groups.m.iterations()),
          columns_(groups.n.iterations()),
          depth_(groups.k.iterations()),
          memory_(cut_memory(b, nr, element_bytes, rows_, columns_, depth_)),
          block_columns_(whole_loops(groups.n, memory_.nc)),
          block_depth_(groups.k.count <= 1 ? static_cast<std::int64_t>(depth_of_block(b, depth_))
                                           : whole_loops(groups.k, std::min(memory_.kc, b.kc))),
          segment_(block_depth_) {
        if (!(packing.lhs && packing.rhs) && groups.k.count > 1) {
            segment_ = groups.k.extent(groups.k.count - 1);
            block_depth_ = block_depth_ / segment_ * segment_;
        }
    }

    [[nodiscard]] constexpr std::int64_t rows() const noexcept { return rows_; }
    [[nodiscard]] constexpr std::int64_t columns() const noexcept { return columns_; }
    [[nodiscard]] constexpr std::int64_t depth() const noexcept { return depth_; }
    [[nodiscard]] constexpr const gemm_memory& memory() const noexcept { return memory_; }

    /// Of a block; the last ones may have less.
    [[nodiscard]] constexpr std::int64_t block_rows() const noexcept {
        return static_cast<std::int64_t>(memory_.mc);
    }
    [[nodiscard]] constexpr std::int64_t block_columns() const noexcept { return block_columns_; }
    [[nodiscard]] constexpr std::int64_t block_depth() const noexcept { return block_depth_; }
    [[nodiscard]] constexpr std::int64_t segment() const noexcept { return segment_; }

    /// Of the block that begins there.
    [[nodiscard]] constexpr std::size_t rows_at(std::int64_t row) const noexcept {
        return left(rows_, row, block_rows());
    }
    [[nodiscard]] constexpr std::size_t columns_at(std::int64_t column) const noexcept {
        return left(columns_, column, block_columns_);
    }
    [[nodiscard]] constexpr std::size_t depth_at(std::int64_t p) const noexcept {
        return left(depth_, p, block_depth_);
    }

    [[nodiscard]] constexpr gemm_panel panel(std::int64_t column, std::int64_t p) const noexcept {
        const std::size_t deep = depth_at(p);
        const std::size_t segment = std::min(static_cast<std::size_t>(segment_), deep);
        return {column, columns_at(column), p, deep, deep / segment, segment};
    }

    /// Whether another block of lhs comes after that of a row in a panel. Sets where it begins.
    [[nodiscard]] constexpr bool find_next(std::int64_t row, const gemm_panel& in,
                                           place& next) const noexcept {
        const bool next_depth = row + block_rows() >= rows_;
        const bool next_columns = next_depth && in.begin + block_depth_ >= depth_;
        next = {next_depth ? 0 : row + block_rows(),
                next_columns ? 0 : in.begin + (next_depth ? block_depth_ : 0)};
        return (rows_ > block_rows() || depth_ > block_depth_) &&
               !(next_columns && in.column + block_columns_ >= columns_);
    }

private:
    [[nodiscard]] static constexpr std::size_t left(std::int64_t total, std::int64_t begin,
                                                    std::int64_t block) noexcept {
        return static_cast<std::size_t>(std::min(total - begin, block));
    }
    /// The most iterations up to limit that hold whole runs of the inner loops.
    [[nodiscard]] static constexpr std::int64_t whole_loops(const loops& over,
                                                            std::size_t limit) noexcept {
        const auto most = static_cast<std::int64_t>(limit);
        std::int64_t unit = 1;
        for (std::size_t m = over.count; m-- > 0 && unit * over.extent(m) <= most;) {
            unit *= over.extent(m);
        }
        return most / unit * unit;
    }

    std::int64_t rows_;
    std::int64_t columns_;
    std::int64_t depth_;
    gemm_memory memory_;
    std::int64_t block_columns_;
    std::int64_t block_depth_;
    std::int64_t segment_;
};

}  // namespace xeinsum::kernel
