// Sizes of memory in whole cache lines: 100 bytes for an intermediate of "ij,jk,kl->il" take 128.
#pragma once

#include <cstddef>

namespace xeinsum {

/// Alignment of every part of a workspace, in bytes: one cache line, one AVX-512 register.
inline constexpr std::size_t workspace_alignment = 64;

namespace planning {

[[nodiscard]] constexpr std::size_t align_up(std::size_t bytes) noexcept {
    return (bytes + workspace_alignment - 1) / workspace_alignment * workspace_alignment;
}

}  // namespace planning
}  // namespace xeinsum
