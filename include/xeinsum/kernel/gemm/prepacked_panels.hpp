// Where the panels of a whole operand lie that is packed once for many products: the weights of
// "mk,kn->mn" in blocks of columns, each as deep as they are, ready for the micro-kernel.
#pragma once

#include <xeinsum/kernel/gemm/gemm_memory.hpp>
#include <xeinsum/kernel/gemm/pack.hpp>

#include <cstddef>
#include <cstdint>

namespace xeinsum::kernel {

/// Panels of Width lines, zeros in the place of missing ones, as a product packs them block by
/// block: block after block of lines, and in each the depth from the first to the last.
struct prepacked_panels {
    std::int64_t lines = 0;
    std::int64_t depth = 0;
    std::int64_t block = 1;  ///< lines of a block
    std::size_t width = 1;   ///< lines of a panel

    /// Of all panels. Packing may write pack_slack bytes more.
    [[nodiscard]] constexpr std::int64_t elements() const noexcept {
        return (lines / block * whole(block) + whole(lines % block)) * depth;
    }
    /// Where the panels begin of the block with a line, at a depth where a block begins.
    [[nodiscard]] constexpr std::int64_t offset(std::int64_t line, std::int64_t at) const noexcept {
        const std::int64_t left = lines - line;
        return line / block * whole(block) * depth + whole(left < block ? left : block) * at;
    }

private:
    [[nodiscard]] constexpr std::int64_t whole(std::int64_t count) const noexcept {
        return static_cast<std::int64_t>(round_up(static_cast<std::size_t>(count), width));
    }
};

}  // namespace xeinsum::kernel
