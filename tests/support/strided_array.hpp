// Test operands that lie in memory in any way: "ij" as a reversed, gapped or transposed view.
#pragma once

#include <xeinsum/array/xtensor.hpp>

#if __has_include(<xtensor/views/xstrided_view.hpp>)
#include <xtensor/views/xstrided_view.hpp>
#else
#include <xtensor/xstrided_view.hpp>
#endif

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace support {

using shape = std::vector<std::size_t>;

/// Memory, and a view of some of it. Copies share the memory.
template <class T>
class strided_array {
public:
    using memory = xt::xtensor<T, 1>;
    using view_type =
        xt::xstrided_view<memory&, xt::dynamic_shape<std::size_t>, xt::layout_type::dynamic>;

    /// Row-major; fill(n) is the element with row-major number n.
    template <class Fill>
    static strided_array filled(const shape& extents, Fill fill) {
        shape order(extents.size());
        for (std::size_t a = 0; a < order.size(); ++a) {
            order[a] = a;
        }
        return lying(extents, order, std::vector<std::int64_t>(extents.size(), 1), fill);
    }

    /// Axis order[0] is outermost in memory. |steps[a]| > 1 leaves gaps along axis a; negative
    /// steps run backwards; 0 repeats the first element.
    template <class Fill>
    static strided_array lying(const shape& extents, const shape& order,
                               const std::vector<std::int64_t>& steps, Fill fill) {
        strided_array array;
        array.extents_.assign(extents.begin(), extents.end());
        array.strides_.assign(extents.size(), 0);
        std::int64_t reach = 1;
        std::int64_t first = 0;
        for (std::size_t i = order.size(); i-- > 0;) {
            const std::size_t a = order[i];
            const auto extent = static_cast<std::int64_t>(extents[a]);
            const std::int64_t size = steps[a] < 0 ? -steps[a] : steps[a];
            array.strides_[a] = steps[a] * reach;
            first += steps[a] < 0 && extent > 0 ? (extent - 1) * size * reach : 0;
            reach *= (steps[a] == 0 ? 1 : size) * std::max<std::int64_t>(extent, 1);
        }
        array.offset_ = static_cast<std::size_t>(first);
        array.memory_ = std::make_shared<memory>(
            memory::from_shape({static_cast<std::size_t>(std::max<std::int64_t>(reach, 1))}));
        // What no index reaches must not be read: a NaN, or a large number, would show in the
        // result.
        array.memory_->fill(static_cast<T>(poison()));
        array.assign(fill);
        return array;
    }

    [[nodiscard]] view_type view() const {
        return view_type(*memory_, xt::dynamic_shape<std::size_t>(extents_),
                         xt::dynamic_shape<std::ptrdiff_t>(strides_), offset_,
                         xt::layout_type::dynamic);
    }
    [[nodiscard]] const xt::dynamic_shape<std::size_t>& extents() const { return extents_; }
    [[nodiscard]] const xt::dynamic_shape<std::ptrdiff_t>& strides() const { return strides_; }
    [[nodiscard]] memory& all_memory() const { return *memory_; }
    [[nodiscard]] xt::xarray<T> values() const { return view(); }

    /// Whether the memory between the elements still holds what it was filled with.
    [[nodiscard]] bool gaps_are_untouched() const {
        std::vector<bool> used(memory_->size(), false);
        for_each([&](std::size_t, std::size_t at) { used[at] = true; });
        for (std::size_t i = 0; i < used.size(); ++i) {
            if (!used[i] && !((*memory_)(i) == static_cast<T>(poison()))) {
                return false;
            }
        }
        return true;
    }

private:
    [[nodiscard]] static constexpr int poison() { return 113; }

    /// Calls body(row-major number, position in memory) for every element.
    template <class Body>
    void for_each(Body body) const {
        std::size_t count = 1;
        for (const std::size_t e : extents_) {
            count *= e;
        }
        for (std::size_t n = 0; n < count; ++n) {
            auto at = static_cast<std::ptrdiff_t>(offset_);
            std::size_t rest = n;
            for (std::size_t a = extents_.size(); a-- > 0;) {
                at += static_cast<std::ptrdiff_t>(rest % extents_[a]) * strides_[a];
                rest /= extents_[a];
            }
            body(n, static_cast<std::size_t>(at));
        }
    }
    template <class Fill>
    void assign(Fill fill) {
        for_each([&](std::size_t n, std::size_t at) { (*memory_)(at) = fill(n); });
    }

    std::shared_ptr<memory> memory_{};
    xt::dynamic_shape<std::size_t> extents_{};
    xt::dynamic_shape<std::ptrdiff_t> strides_{};
    std::size_t offset_ = 0;
};

}  // namespace support
