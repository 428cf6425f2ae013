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

/// Whether there is libtorch; without it the functions below return none.
[[nodiscard]] bool has_network_peer() noexcept;

/// A call of at::einsum on one thread, its default path, its result made contiguous: returns where
/// the result lies until the next call.
[[nodiscard]] std::function<const float*()> network_peer(
    const std::string& equation, const std::vector<network_operand>& operands);

/// The same network as one call of at::einsum for each step of a path, whose results are numbered
/// behind the operands. None where a step has more labels than its 52 letters.
[[nodiscard]] std::function<const float*()> network_path_peer(
    const std::vector<std::vector<int>>& terms, const std::vector<int>& output,
    const std::vector<network_operand>& operands,
    const std::vector<std::vector<std::size_t>>& path);

}  // namespace bench
