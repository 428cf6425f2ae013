// Copies of short axes by way of a table: for "bij->bji" with matrices of 3 x 3 it lists where the
// elements of 56 matrices lie in the order in which they are written, the same for the next 56.
#pragma once

#include <xeinsum/kernel/loop_nest.hpp>
#include <xeinsum/kernel/permute/line_writer.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace xeinsum::kernel {

/// Copies an array in stretches that lie side by side in out, element by element.
template <class T, class Arch>
class stretch_copy {
public:
    /// T is trivially copyable.
    stretch_copy(const loops& over, const line_writer<T, Arch>& writer) : writer_(writer) {
        offsets_[0] = 0;
        std::array<bool, max_loops> taken{};
        for (std::size_t m = follower(over, taken); m < over.count; m = follower(over, taken)) {
            const std::int64_t part = std::min(over.extent(m), capacity / length_);
            if (part < 2) {
                break;
            }
            taken[m] = true;
            last_ = {over.extent(m), part, over.stride(m, 1), length_};
            for (std::int64_t at = length_; at < part * length_; ++at) {
                offsets_[at] = offsets_[at - length_] + last_.in;
            }
            length_ *= part;
        }
        for (std::size_t m = 0; m < over.count; ++m) {
            if (!taken[m]) {
                std::copy_n(over.rows + m * over.pitch, pitch, cells_.data() + pitch * outer_++);
            }
        }
    }

    /// Elements of a stretch; 1 where no loop has the elements of out side by side.
    [[nodiscard]] std::int64_t length() const noexcept { return length_; }

    void run(const T* in, T* out) const {
        odometer<2> at({cells_.data(), pitch, outer_}, {0, 1});
        do {
            const T* from = in + at.offset(1);
            T* to = out + at.offset(0);
            for (std::int64_t i = 0; i < last_.extent; i += last_.part) {
                const std::int64_t count = std::min(last_.part, last_.extent - i) * last_.out;
                copy(from + i * last_.in, to + i * last_.out, static_cast<std::size_t>(count));
            }
        } while (at.next());
    }

private:
    /// Elements of a stretch, of which a buffer on the stack has at most 16 KiB.
    static constexpr std::int64_t capacity =
        std::clamp<std::int64_t>(16384 / static_cast<std::int64_t>(sizeof(T)), 1, 512);
    static constexpr std::size_t pitch = 3;

    /// The loop that goes on where the stretch ends in out.
    [[nodiscard]] std::size_t follower(const loops& over,
                                       const std::array<bool, max_loops>& taken) const noexcept {
        std::size_t m = 0;
        while (m < over.count && (taken[m] || over.stride(m, 0) != length_)) {
            ++m;
        }
        return m;
    }

    void copy(const T* from, T* to, std::size_t count) const {
        const auto gather = [&](T* place) {
#pragma GCC unroll 4
            for (std::size_t p = 0; p < count; ++p) {
                place[p] = from[offsets_[p]];
            }
        };
        if (writer_.only_moves()) {
            gather(to);
            return;
        }
        alignas(T) std::byte memory[capacity * sizeof(T)];
        gather(reinterpret_cast<T*>(memory));
        writer_.write(reinterpret_cast<T*>(memory), to, count);
    }

    /// The outermost loop of a stretch, which has a part of it.
    struct {
        std::int64_t extent = 1;
        std::int64_t part = 1;
        std::int64_t in = 0;
        std::int64_t out = 1;
    } last_;
    std::int64_t length_ = 1;
    std::size_t outer_ = 0;
    line_writer<T, Arch> writer_;
    std::int64_t offsets_[capacity];
    std::array<std::int64_t, pitch * max_loops> cells_;
};

}  // namespace xeinsum::kernel
