// The bytes of a tensor's raw_data as elements: those of "ij" on (2, 3) are six numbers, row by
// row.
#pragma once

#include <bit>
#include <cstring>
#include <string>
#include <vector>

namespace raw_data {

template <class T>
[[nodiscard]] std::vector<T> elements(const std::string& bytes) {
    static_assert(std::endian::native == std::endian::little, "ONNX stores the low byte first");
    std::vector<T> all(bytes.size() / sizeof(T));
    if (!all.empty()) {  // what is empty may have no address
        std::memcpy(all.data(), bytes.data(), all.size() * sizeof(T));
    }
    return all;
}

}  // namespace raw_data
