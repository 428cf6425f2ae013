// at::einsum of libtorch as a function to time: "ab,bc,cd->ad" on memory of the caller's.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace bench {

/// A row-major array.
struct network_operand {
    float* first = nullptr;
    std::vector<std::size_t> extents{};
};

/// A call of at::einsum on one thread, its default path, its result made contiguous: returns where
/// the result lies until the next call.
[[nodiscard]] std::function<const float*()> network_peer(
    const std::string& equation, const std::vector<network_operand>& operands);

}  // namespace bench
