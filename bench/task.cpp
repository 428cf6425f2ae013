// Fills operands: those of "ij,jk->ik" with whole numbers that make every sum exact.
#include "task.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>

namespace bench {

template <class T>
task<T>::task(const bench_case& c)
    : case_terms(c), output_(shape_of(output_term())), machine_(c.machine) {
    for (const shape& s : c.shapes) {
        operands_.emplace_back(s);
    }
    fill();
}

template <class T>
task<T>::task(const task& other, placement where)
    : case_terms(other), output_(other.output_.extents(), where), machine_(other.machine_) {
    for (const placed_array<T>& operand : other.operands_) {
        operands_.emplace_back(operand.extents(), where);
        std::copy_n(operand.data(), operand.size(), operands_.back().data());
    }
}

/// Whole numbers, at most 3 in magnitude if there is room for their sums, else 1: no sum, a partial
/// one neither, is above 2 / epsilon, so that all are exact in whatever order they are formed.
template <class T>
void task<T>::fill() {
    auto largest_sum = static_cast<double>(elements(summed()));
    for (std::size_t o = 0; o < terms().size(); ++o) {
        largest_sum *= 3;
    }
    const int largest = largest_sum * std::numeric_limits<T>::epsilon() < 1 ? 3 : 1;
    std::minstd_rand random(7);
    for (const auto& operand : operands_) {
        for (std::size_t i = 0; i < operand.size(); ++i) {
            const auto range = static_cast<std::uint32_t>(2 * largest + 1);
            const auto draw =
                static_cast<int>((static_cast<std::uint32_t>(random()) >> 8U) % range);
            operand.data()[i] = static_cast<T>(draw - largest);
        }
    }
}

template <class T>
std::vector<const T*> task<T>::pointers() const {
    std::vector<const T*> all;
    for (const auto& operand : operands_) {
        all.push_back(operand.data());
    }
    return all;
}

template class task<float>;
template class task<double>;

}  // namespace bench
