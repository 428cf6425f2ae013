// Elements side by side in memory of somebody else's: the labels of a term of "ij,jk->ik", the
// strides of an operand.
#pragma once

#include <cstddef>
#include <type_traits>

namespace xeinsum {

/// Pointer and count, made of them or of anything that has data() and size(), such as std::vector,
/// std::array and std::span, or of an array of C. A std::span would do the same; but the compiler
/// checks its iterators against a dozen concepts of the standard library for every T, which made
/// half of what including the library cost.
template <class T>
class list_view {
public:
    using value_type = std::remove_const_t<T>;

    constexpr list_view() noexcept = default;
    constexpr list_view(T* first, std::size_t count) noexcept : first_(first), count_(count) {}
    // NOLINTBEGIN(google-explicit-constructor): a list stands for its elements.
    template <std::size_t Count>
    constexpr list_view(T (&list)[Count]) noexcept : first_(list), count_(Count) {}
    template <class List>
        requires requires(List& list, void (*take)(T*, std::size_t)) {
            take(list.data(), list.size());
        }
    constexpr list_view(List&& list) noexcept  // NOLINT(bugprone-forwarding-reference-overload)
        : first_(list.data()), count_(list.size()) {}
    // NOLINTEND(google-explicit-constructor)

    [[nodiscard]] constexpr T* data() const noexcept { return first_; }
    [[nodiscard]] constexpr std::size_t size() const noexcept { return count_; }
    [[nodiscard]] constexpr bool empty() const noexcept { return count_ == 0; }
    [[nodiscard]] constexpr T* begin() const noexcept { return first_; }
    [[nodiscard]] constexpr T* end() const noexcept { return first_ + count_; }
    [[nodiscard]] constexpr T& operator[](std::size_t i) const noexcept { return first_[i]; }
    [[nodiscard]] constexpr T& front() const noexcept { return first_[0]; }
    [[nodiscard]] constexpr T& back() const noexcept { return first_[count_ - 1]; }

    [[nodiscard]] constexpr list_view first(std::size_t count) const noexcept {
        return {first_, count};
    }
    [[nodiscard]] constexpr list_view subspan(std::size_t begin) const noexcept {
        return {first_ + begin, count_ - begin};
    }
    [[nodiscard]] constexpr list_view subspan(std::size_t begin, std::size_t count) const noexcept {
        return {first_ + begin, count};
    }

private:
    T* first_ = nullptr;
    std::size_t count_ = 0;
};

}  // namespace xeinsum
