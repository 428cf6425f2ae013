// The chance in random tests: which labels "ij,jk->ik" has, and how its arrays lie. All of it
// follows from a seed.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <random>

namespace random_calls {

class random_source {
public:
    explicit random_source(std::uint64_t seed) : engine_(seed) {}

    [[nodiscard]] std::uint64_t bits() { return engine_(); }
    /// From low to high, both included.
    [[nodiscard]] std::int64_t integer(std::int64_t low, std::int64_t high) {
        return low +
               static_cast<std::int64_t>(engine_() % static_cast<std::uint64_t>(high - low + 1));
    }
    /// From 0 to n - 1.
    [[nodiscard]] std::size_t below(std::size_t n) { return engine_() % n; }
    [[nodiscard]] bool chance(double p) {
        return static_cast<double>(engine_() >> 11U) * 0x1p-53 < p;
    }
    template <class T>
    [[nodiscard]] T pick(std::initializer_list<T> list) {
        return list.begin()[below(list.size())];
    }
    template <class List>
    void shuffle(List& list) {
        std::shuffle(list.begin(), list.end(), engine_);
    }

private:
    std::mt19937_64 engine_;
};

}  // namespace random_calls
