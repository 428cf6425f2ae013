// Where the inputs of a nest stand while its loops run: in "bld,bln,bld->bldn" the second steps
// with n side by side, the others stay where they are.
#pragma once

#include <xeinsum/kernel/loop_nest.hpp>
#include <xeinsum/kernel/step_kinds.hpp>

#include <cstddef>
#include <cstdint>

namespace xeinsum::kernel {

/// One input. The strides are those of the loops that the kernels unroll.
template <class T>
struct cursor {
    const T* outer = nullptr;  ///< in the current iteration of the outer output loops
    const T* at = nullptr;     ///< in the current iteration of the outer contracted loops as well
    std::int64_t lane = 0;     ///< stride along the vector loop
    std::int64_t row = 0;      ///< stride along the output loop inside the outer ones
    std::int64_t term = 0;     ///< stride along the contracted loop inside the outer ones
    std::size_t array = 0;     ///< its column in the loops; 0 of a number that is no input
};

/// How many inputs step side by side along the vector loop, stay in place, or jump. As template
/// arguments, any leaves them to the run.
struct input_counts {
    std::size_t units = 0;
    std::size_t fixed = 0;
    std::size_t gathered = 0;

    /// Whether there are so many side by side and in place, and no others.
    [[nodiscard]] bool are(std::size_t side_by_side, std::size_t in_place) const noexcept {
        return gathered == 0 && units == side_by_side && fixed == in_place;
    }
};

/// The inputs of a nest, in the order side by side, in place, gathered.
template <class T>
class cursors {
public:
    cursors(cursor<T>* memory, std::size_t count) : all_(memory), count_(count) {}

    /// Puts all inputs at their first elements. A null loop has no iterations but one.
    [[gnu::noinline]] void start(const T* const* inputs, const loops& vector, const loops& row,
                                 const loops& term) {
        constexpr int classes = 3;
        std::size_t filled = 0;
        std::size_t found[classes]{};
        for (int wanted = 0; wanted < classes; ++wanted) {
            for (std::size_t i = 0; i < count_; ++i) {
                const std::int64_t lane = step(vector, i + 1);
                if (wanted == (lane == 1 ? 0 : lane == 0 ? 1 : 2)) {
                    all_[filled++] = {inputs[i],        inputs[i],         lane,
                                      step(row, i + 1), step(term, i + 1), i + 1};
                    ++found[wanted];
                }
            }
        }
        counts_ = {found[0], found[1], found[2]};
    }

    [[nodiscard]] const input_counts& counts() const { return counts_; }
    [[nodiscard]] std::size_t size() const { return count_; }
    [[nodiscard]] const cursor<T>& operator[](std::size_t i) const { return all_[i]; }

    /// Calls body(out offset) for each iteration of output loops.
    template <class Body>
    void for_each_output(const loops& over, const Body& body) {
        std::int64_t index[max_loops];
        clear(index, over.count);
        std::int64_t out = 0;
        do {
            body(out);
        } while (over.count > 0 && advance(over, index, &cursor<T>::outer, out));
    }

    /// Calls body() for each iteration of contracted loops, from where the output loops are.
    template <class Body>
    void for_each_term(const loops& over, const Body& body) {
        for (std::size_t i = 0; i < count_; ++i) {
            all_[i].at = all_[i].outer;
        }
        if (over.count == 0) {
            body();
            return;
        }
        std::int64_t index[max_loops];
        clear(index, over.count);
        std::int64_t nowhere = 0;
        do {
            body();
        } while (advance(over, index, &cursor<T>::at, nowhere));
    }

private:
    [[nodiscard]] static std::int64_t step(const loops& one, std::size_t array) {
        return one.count == 0 ? 0 : one.stride(0, array);
    }
    static void clear(std::int64_t* index, std::size_t count) {
        for (std::size_t m = 0; m < count; ++m) {
            index[m] = 0;
        }
    }

    /// Not inlined: all that counts through loops shares it.
    [[gnu::noinline]] bool advance(const loops& over, std::int64_t* index,
                                   const T* cursor<T>::*place, std::int64_t& out) {
        for (std::size_t m = over.count; m-- > 0;) {
            const bool wraps = ++index[m] == over.extent(m);
            const std::int64_t steps = wraps ? 1 - over.extent(m) : 1;
            index[m] = wraps ? 0 : index[m];
            for (std::size_t i = 0; i < count_; ++i) {
                all_[i].*place += steps * over.stride(m, all_[i].array);
            }
            out += steps * over.stride(m, 0);
            if (!wraps) {
                return true;
            }
        }
        return false;
    }

    cursor<T>* all_;
    std::size_t count_;
    input_counts counts_{};
};

}  // namespace xeinsum::kernel
