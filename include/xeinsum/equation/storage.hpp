// Where lists live: on the heap where they are long, always inside the object for the compiler;
// "ij,jk->ik" parses into either through the same code.
#pragma once

#include <xeinsum/equation/short_vector.hpp>

#include <algorithm>
#include <cstddef>
#include <type_traits>

namespace xeinsum {

/// A vector of at most Capacity elements kept inside the object. A literal type, so that parsed
/// equations and plans can be constexpr variables. Pushing beyond the capacity is not checked:
/// capacities are derived from bounds that hold by construction.
template <class T, std::size_t Capacity>
class fixed_vector {
public:
    using value_type = T;

    constexpr fixed_vector() noexcept {
        // A constant needs every element initialised; on the run-time path that would be a
        // memset of kilobytes per call.
        if (std::is_constant_evaluated()) {
            for (T& item : items_) {
                item = T{};
            }
        }
    }
    constexpr fixed_vector(const fixed_vector& other) noexcept : fixed_vector() { assign(other); }
    // NOLINTNEXTLINE(bugprone-unhandled-self-assignment): onto itself it copies equal items.
    constexpr fixed_vector& operator=(const fixed_vector& other) noexcept {
        assign(other);
        return *this;
    }
    constexpr ~fixed_vector() = default;

    [[nodiscard]] constexpr std::size_t size() const noexcept { return size_; }
    [[nodiscard]] constexpr bool empty() const noexcept { return size_ == 0; }
    [[nodiscard]] constexpr T* data() noexcept { return items_; }
    [[nodiscard]] constexpr const T* data() const noexcept { return items_; }
    [[nodiscard]] constexpr T* begin() noexcept { return items_; }
    [[nodiscard]] constexpr const T* begin() const noexcept { return items_; }
    [[nodiscard]] constexpr T* end() noexcept { return items_ + size_; }
    [[nodiscard]] constexpr const T* end() const noexcept { return items_ + size_; }
    [[nodiscard]] constexpr T& operator[](std::size_t i) noexcept { return items_[i]; }
    [[nodiscard]] constexpr const T& operator[](std::size_t i) const noexcept { return items_[i]; }
    [[nodiscard]] constexpr T& back() noexcept { return items_[size_ - 1]; }
    [[nodiscard]] constexpr const T& back() const noexcept { return items_[size_ - 1]; }

    constexpr void push_back(const T& item) noexcept { items_[size_++] = item; }
    constexpr void clear() noexcept { size_ = 0; }
    /// Where a list on the heap takes its memory; here it is there already.
    constexpr void reserve(std::size_t) const noexcept {}
    constexpr void resize(std::size_t size, const T& fill = T{}) noexcept {
        for (std::size_t i = size_; i < size; ++i) {
            items_[i] = fill;
        }
        size_ = size;
    }

private:
    constexpr void assign(const fixed_vector& other) noexcept {
        size_ = other.size_;
        for (std::size_t i = 0; i < size_; ++i) {
            items_[i] = other.items_[i];
        }
    }

    static_assert(std::is_trivially_copyable_v<T>);
    T items_[Capacity];
    std::size_t size_ = 0;
};

/// Lists without a bound, on the heap where they are long: those of most calls are not.
struct heap_storage {
    template <class T>
    using list = short_vector<T, std::clamp<std::size_t>(128 / sizeof(T), 1, 32)>;
};

/// Lists of at most Capacity elements, inside the object.
template <std::size_t Capacity>
struct fixed_storage {
    template <class T>
    using list = fixed_vector<T, Capacity>;
};

}  // namespace xeinsum
