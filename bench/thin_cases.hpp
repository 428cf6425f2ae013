// Shapes of every kind, such as "ij,jk->ik" of 1000 x 2 and 2 x 100.
#pragma once

#include "cases.hpp"

#include <vector>

namespace bench {

/// Products and sums of two operands, each label with an extent of 2, 5, 16, 100 and 1000: those of
/// 2^14 to 2^21 products.
[[nodiscard]] std::vector<bench_case> thin_cases();

/// Products of two matrices, either of them transposed or not, each label with an extent of 16, 48,
/// 128, 400, 1024 and 3000: those of 0.2 to 1600 million products.
[[nodiscard]] std::vector<bench_case> matrix_cases();

}  // namespace bench
