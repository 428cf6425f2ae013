// A row-major array that begins where users' arrays do: placed_array<float>({2, 3}) is an operand
// "ij" that begins 16 bytes into a cache line.
#pragma once

#include "cases.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <new>
#include <numeric>
#include <utility>

namespace bench {

/// Where an array begins. xt::xarray and xt::xtensor allocate with malloc, which gives large arrays
/// addresses 16 bytes behind a page.
enum class placement : unsigned char { as_xtensor, at_cache_line };

template <class T>
class placed_array {
public:
    explicit placed_array(shape extents, placement where = placement::as_xtensor)
        : extents_(std::move(extents)),
          size_(std::accumulate(extents_.begin(), extents_.end(), std::size_t{1},
                                std::multiplies<>{})),
          offset_(where == placement::as_xtensor ? malloc_alignment / sizeof(T) : 0),
          memory_(static_cast<T*>(::operator new((offset_ + size_) * sizeof(T), page))) {
        std::fill_n(data(), size_, T(0));
    }

    [[nodiscard]] const shape& extents() const noexcept { return extents_; }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    /// The elements, which may be written however the array is reached, as those of a view.
    [[nodiscard]] T* data() const noexcept { return memory_.get() + offset_; }

private:
    static constexpr std::size_t malloc_alignment = 16;
    static constexpr std::align_val_t page{4096};
    struct deleter {
        void operator()(T* p) const noexcept { ::operator delete(p, page); }
    };

    shape extents_;
    std::size_t size_;
    std::size_t offset_;
    std::unique_ptr<T, deleter> memory_;
};

}  // namespace bench
