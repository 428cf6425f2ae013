// Operands that are the same in every run of a plan, the weights w of "nctw,cd->ndtw": copied once,
// and what follows from them alone.
#pragma once

#include <xeinsum/lowering/runs.hpp>
#include <xeinsum/plan/extents.hpp>
#include <xeinsum/plan/step/alignment.hpp>
#include <xeinsum/plan/step/mode_table.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <vector>

namespace xeinsum::detail {

/// Elements in memory that begins at a cache line.
template <class T>
class constant_array {
public:
    explicit constant_array(std::size_t elements)
        : elements_(static_cast<T*>(::operator new(elements * sizeof(T), alignment))),
          count_(elements) {
        // Freed before the exception leaves, should an element's constructor throw.
        std::uninitialized_default_construct_n(elements_.get(), count_);
        elements_.get_deleter().constructed = count_;
    }

    [[nodiscard]] T* data() const noexcept { return elements_.get(); }
    [[nodiscard]] std::size_t bytes() const noexcept { return count_ * sizeof(T); }

private:
    static constexpr std::align_val_t alignment{workspace_alignment};
    struct deleter {
        std::size_t constructed = 0;
        void operator()(T* p) const noexcept {
            std::destroy_n(p, constructed);
            ::operator delete(static_cast<void*>(p), alignment);
        }
    };
    std::unique_ptr<T, deleter> elements_;
    std::size_t count_;
};

/// Arrays that all copies of a plan share and nobody changes.
template <class T>
using shared_array = std::shared_ptr<const constant_array<T>>;

/// What a plan knows beforehand. Lists are by operand or array_id; null stands for what a run is
/// given or computes.
template <class T>
struct constants {
    std::vector<shared_array<T>> memory{};
    std::vector<shared_array<T>> bound{};  ///< copies of operands, as they were given
    std::vector<const T*> operands{};
    /// Intermediates, row-major as planned.
    std::vector<const T*> stored{};
    /// The same, and whatever the step that reads it wants in panels, in panels: for runs on arrays
    /// that lie as planned.
    std::vector<const T*> packed{};
    /// Operands as packed has them, or as they are.
    std::vector<const T*> prepared{};

    [[nodiscard]] std::size_t bytes() const noexcept {
        std::size_t total = 0;
        for (const auto& m : memory) {
            total += m->bytes();
        }
        return total;
    }
};

/// A row-major copy of an array.
template <class T, class Arch>
[[nodiscard]] shared_array<T> copied(const layout_view& lies, const T* from) {
    std::int64_t elements = 1;
    std::vector<std::int64_t> cells((lies.extents.size() + 1) * mode_table::row_length(1));
    mode_table table(cells.data(), 1);
    for (std::size_t a = lies.extents.size(); a-- > 0;) {
        if (lies.extents[a] == 0) {
            return std::make_shared<constant_array<T>>(0);
        }
        if (lies.extents[a] > 1) {
            const std::size_t m = table.push(lies.extents[a]);
            table.stride(m, 0) = elements;
            table.stride(m, 1) = lies.strides[a];
            table.set_kind(m, index_class::lhs_free);
            elements *= lies.extents[a];
        }
    }
    auto copy = std::make_shared<constant_array<T>>(static_cast<std::size_t>(elements));
    planning::fuse(table);
    lowerings::copy_scaled<T, Arch>(table, from, copy->data(), {});
    return copy;
}

}  // namespace xeinsum::detail
