// Elements of its own, row-major: an operand of "ij,jk->ik" whose elements are of another type than
// the sums, and an output that lies nowhere in memory as such.
#pragma once

#include <xeinsum/array/traits.hpp>
#include <xeinsum/equation/list_view.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>

namespace xeinsum::array {

/// An array of T that is copied from and to memory of other types.
template <class T>
class dense_array {
    using axes = typename axis_list<dynamic_rank>::type;

public:
    /// Elements are not set. Throws std::bad_alloc where they are more than memory holds.
    template <class Axes>
    explicit dense_array(const Axes& extents)
        : extents_(extents.begin(), extents.end()),
          strides_(extents_.size(), 1),
          elements_(std::make_unique_for_overwrite<T[]>(count())) {}
    /// No elements, but a layout that a call refuses.
    template <class Axes>
    dense_array(const Axes& extents, const Axes& strides)
        : extents_(extents.begin(), extents.end()), strides_(strides.begin(), strides.end()) {}

    [[nodiscard]] T* data() const noexcept { return elements_.get(); }
    [[nodiscard]] list_view<const std::int64_t> extents() const noexcept { return extents_; }
    [[nodiscard]] list_view<const std::int64_t> strides() const noexcept { return strides_; }

    /// Copies all elements from memory of the same extents.
    template <class From, class Strides>
    void take(const From* from, const Strides& strides) const {
        for_each(strides, [&](T& own, std::int64_t other) { own = static_cast<T>(from[other]); });
    }
    /// Copies all elements to it.
    template <class To, class Strides>
    void give(To* to, const Strides& strides) const {
        for_each(strides,
                 [&](const T& own, std::int64_t other) { to[other] = static_cast<To>(own); });
    }

private:
    /// The number of elements, or one that no memory holds; sets the strides.
    [[nodiscard]] std::size_t count() {
        std::int64_t elements = 1;
        for (std::size_t a = extents_.size(); a-- > 0;) {
            strides_[a] = elements;
            if (__builtin_mul_overflow(elements, extents_[a], &elements)) {
                elements = std::numeric_limits<std::int64_t>::max();
            }
        }
        return static_cast<std::size_t>(elements);
    }

    /// Calls f(element, the offset of the same one elsewhere) for all.
    template <class Strides, class F>
    void for_each(const Strides& strides, F f) const {
        if (std::find(extents_.begin(), extents_.end(), 0) != extents_.end()) {
            return;
        }
        axes at(extents_.size(), 0);
        std::int64_t offset = 0;
        T* own = elements_.get();
        for (bool more = true; more;) {
            f(*own++, offset);
            more = false;
            for (std::size_t a = extents_.size(); a-- > 0 && !more;) {
                more = ++at[a] < extents_[a];
                offset += strides[a];
                if (!more) {
                    offset -= extents_[a] * strides[a];
                    at[a] = 0;
                }
            }
        }
    }

    axes extents_;
    axes strides_;
    std::unique_ptr<T[]> elements_;
};

template <class T>
struct traits<dense_array<T>> {
    using value_type = T;
    static constexpr std::size_t rank = dynamic_rank;
    static constexpr bool fixed = false;
    static constexpr bool row_major = true;

    [[nodiscard]] static T* first(const dense_array<T>& a) { return a.data(); }
    [[nodiscard]] static auto shape(const dense_array<T>& a) { return a.extents(); }
    [[nodiscard]] static auto strides(const dense_array<T>& a) { return a.strides(); }
};

}  // namespace xeinsum::array
