// Equations drawn at random, such as "cab,ad->dcb" with extents from 1 to some hundreds.
#pragma once

#include "cases.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace bench {

/// The same ones for the same numbers. Each forms at most so many products.
[[nodiscard]] std::vector<bench_case> random_cases(std::size_t count, std::uint64_t seed = 20220822,
                                                   double most_products = 1U << 24U);

}  // namespace bench
