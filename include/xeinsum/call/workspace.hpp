// Memory for a run: a plan of "ij,jk,kl->il" needs room for one intermediate and for packing.
#pragma once

#include <xeinsum/equation/list_view.hpp>
#include <xeinsum/plan/workspace_layout.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

namespace xeinsum {

/// Bytes with the alignment that plans like best. Any other contiguous bytes will do for plan::run
/// as well, as long as they are plan::workspace_bytes() many.
class workspace {
public:
    /// No bytes are no allocation.
    explicit workspace(std::size_t bytes)
        : bytes_(bytes == 0 ? nullptr
                            : static_cast<std::byte*>(
                                  ::operator new (bytes, std::align_val_t{workspace_alignment}))),
          size_(bytes) {}

    /// 0 once its memory was moved to another.
    [[nodiscard]] std::size_t size() const noexcept { return bytes_ == nullptr ? 0 : size_; }
    /// The first byte; null where there is none.
    [[nodiscard]] std::byte* data() noexcept { return bytes_.get(); }
    /// The first byte.
    [[nodiscard]] std::byte* begin() noexcept { return data(); }
    /// Behind the last byte.
    [[nodiscard]] std::byte* end() noexcept { return data() + size(); }

private:
    struct deleter {
        void operator()(std::byte* p) const noexcept {
            ::operator delete (p, std::align_val_t{workspace_alignment});
        }
    };
    std::unique_ptr<std::byte, deleter> bytes_;
    std::size_t size_;
};

/// Asks for memory that suffices, too, where the output of a run shares elements with an operand:
/// plan.make_workspace(may_overlap).
struct may_overlap_t {
    explicit may_overlap_t() = default;
};
/// The only value of its type.
inline constexpr may_overlap_t may_overlap{};

/// Runs that need no more take it from the stack: an allocation would take as long as they do.
inline constexpr std::size_t small_workspace_bytes = std::size_t{32} << 10U;

namespace detail {

/// Memory for one run: the stack where it is enough, else the heap.
class run_memory {
public:
    /// As plan_run::checked asks for it, whatever it is for.
    [[nodiscard]] list_view<std::byte> operator()(std::size_t bytes, std::size_t /*operand*/) {
        return (*this)(bytes);
    }
    [[nodiscard]] list_view<std::byte> operator()(std::size_t bytes) {
        if (bytes <= sizeof(small_)) {
            return {small_, bytes};
        }
        large_ = workspace(bytes);
        return large_;
    }

private:
    alignas(workspace_alignment) std::byte small_[small_workspace_bytes];
    workspace large_{0};
};

}  // namespace detail

/// The first aligned byte of some memory, which has workspace_alignment - 1 bytes to spare.
[[nodiscard]] inline std::byte* aligned(std::byte* memory) noexcept {
    const auto address = reinterpret_cast<std::uintptr_t>(memory);
    return memory + (planning::align_up(address) - address);
}

}  // namespace xeinsum
