// An element type of a user's for "ij,jk->ik": kernels compute with it in one pass only.
#pragma once

#include <vector>

namespace support {

/// Arithmetic with elements that own memory.
struct digits {
    std::vector<int> value{0};
    digits() = default;
    explicit digits(int x) : value{x} {}
    bool operator==(const digits&) const = default;
    digits operator*(const digits& o) const { return digits(value[0] * o.value[0]); }
    digits operator+(const digits& o) const { return digits(value[0] + o.value[0]); }
};

}  // namespace support
