// Scratch memory of a kernel: for "ij,jk->ik" panels that begin with a cache line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace support {

/// Bytes aligned to 64.
class aligned_bytes {
public:
    explicit aligned_bytes(std::size_t count) : memory_(count + 64) {}
    [[nodiscard]] std::byte* data() {
        return memory_.data() + (64 - reinterpret_cast<std::uintptr_t>(memory_.data()) % 64);
    }

private:
    std::vector<std::byte> memory_;
};

}  // namespace support
