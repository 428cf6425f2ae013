// A list that is short in most calls: the labels of "ij,jk->ik" live inside it, those of an
// equation with a hundred operands on the heap.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace xeinsum {

/// A vector that keeps up to Inside elements inside the object, and more of them on the heap.
template <class T, std::size_t Inside>
class short_vector {
public:
    using value_type = T;

    short_vector() noexcept {}  // NOLINT(modernize-use-equals-default): the room stays as it is
    // On top of the default constructor: what throws then, out of memory, frees what it has.
    explicit short_vector(std::size_t size, T fill = T{}) : short_vector() { resize(size, fill); }
    short_vector(std::initializer_list<T> items) : short_vector(items.begin(), items.end()) {}
    template <class Iterator>
        requires(!std::is_integral_v<Iterator>)
    short_vector(Iterator first, Iterator last) : short_vector() { append(first, last); }
    short_vector(const short_vector& other) : short_vector() { append(other.begin(), other.end()); }
    short_vector(short_vector&& other) noexcept { take(other); }
    short_vector& operator=(const short_vector& other) {
        if (this != &other) {
            clear();
            append(other.begin(), other.end());
        }
        return *this;
    }
    short_vector& operator=(short_vector&& other) noexcept {
        if (this != &other) {
            release();
            take(other);
        }
        return *this;
    }
    ~short_vector() { release(); }

    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
    [[nodiscard]] T* data() noexcept { return items_; }
    [[nodiscard]] const T* data() const noexcept { return items_; }
    [[nodiscard]] T* begin() noexcept { return items_; }
    [[nodiscard]] const T* begin() const noexcept { return items_; }
    [[nodiscard]] T* end() noexcept { return items_ + size_; }
    [[nodiscard]] const T* end() const noexcept { return items_ + size_; }
    [[nodiscard]] T& operator[](std::size_t i) noexcept { return items_[i]; }
    [[nodiscard]] const T& operator[](std::size_t i) const noexcept { return items_[i]; }
    [[nodiscard]] T& front() noexcept { return items_[0]; }
    [[nodiscard]] const T& front() const noexcept { return items_[0]; }
    [[nodiscard]] T& back() noexcept { return items_[size_ - 1]; }
    [[nodiscard]] const T& back() const noexcept { return items_[size_ - 1]; }

    /// Takes a copy: the item may be one of those that move.
    void push_back(T item) {
        if (size_ == capacity_) {
            grow(2 * capacity_);
        }
        ::new (items_ + size_++) T(item);
    }
    /// Of another list.
    template <class Iterator>
    void append(Iterator first, Iterator last) {
        for (; first != last; ++first) {
            push_back(static_cast<T>(*first));
        }
    }
    void clear() noexcept { size_ = 0; }
    void reserve(std::size_t capacity) {
        if (capacity > capacity_) {
            grow(std::max(capacity, 2 * capacity_));
        }
    }
    void resize(std::size_t size, T fill = T{}) {
        reserve(size);
        if (size > size_) {
            std::uninitialized_fill(items_ + size_, items_ + size, fill);
        }
        size_ = size;
    }

private:
    [[gnu::noinline]] void grow(std::size_t capacity) {
        T* const items = std::allocator<T>().allocate(capacity);
        std::uninitialized_copy_n(items_, size_, items);
        release();
        items_ = items;
        capacity_ = capacity;
    }
    void release() noexcept {
        if (items_ != room_) {
            std::allocator<T>().deallocate(items_, capacity_);
        }
    }
    /// Of this list nothing is kept, the other is left empty.
    void take(short_vector& other) noexcept {
        size_ = std::exchange(other.size_, 0);
        if (other.items_ != other.room_) {
            items_ = std::exchange(other.items_, other.room_);
            capacity_ = std::exchange(other.capacity_, Inside);
        } else {
            items_ = room_;
            capacity_ = Inside;
            std::memcpy(static_cast<void*>(room_), other.room_, sizeof(room_));
        }
    }

    static_assert(std::is_trivially_copyable_v<T>);
    T* items_ = room_;
    std::size_t size_ = 0;
    std::size_t capacity_ = Inside;
    union {  // so that a new list need not fill it
        T room_[Inside];
    };
};

}  // namespace xeinsum
