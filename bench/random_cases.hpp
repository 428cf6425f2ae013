// Equations drawn at random, such as "cab,ad->dcb" with extents from 1 to some hundreds.
#pragma once

#include "cases.hpp"

#include <cstddef>
#include <vector>

namespace bench {

/// The same ones for the same count. Each forms at most 2^24 products.
[[nodiscard]] std::vector<bench_case> random_cases(std::size_t count);

}  // namespace bench
