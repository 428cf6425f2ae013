// A row-major array that begins at a cache line: aligned_array<float>({2, 3}) is an operand "ij".
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

template <class T>
class aligned_array {
public:
    explicit aligned_array(shape extents)
        : extents_(std::move(extents)),
          size_(std::accumulate(extents_.begin(), extents_.end(), std::size_t{1},
                                std::multiplies<>{})),
          elements_(static_cast<T*>(::operator new(size_ * sizeof(T), alignment))) {
        std::fill_n(data(), size_, T(0));
    }

    [[nodiscard]] const shape& extents() const noexcept { return extents_; }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    /// The elements, which may be written however the array is reached, as those of a view.
    [[nodiscard]] T* data() const noexcept { return elements_.get(); }

private:
    static constexpr std::align_val_t alignment{64};
    struct deleter {
        void operator()(T* p) const noexcept { ::operator delete(p, alignment); }
    };

    shape extents_;
    std::size_t size_;
    std::unique_ptr<T, deleter> elements_;
};

}  // namespace bench
