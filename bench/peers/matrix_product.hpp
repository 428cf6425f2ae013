// The product of matrices that a contraction is once its operands are permuted: "bhqd,bhkd->bhqk"
// is, for each bh, q by d times d by k.
#pragma once

#include "task.hpp"

#include <cstddef>
#include <optional>
#include <string>

namespace bench {

/// c[batch][m][n] = a[batch][m][k] * b[batch][k][n], row-major; a and b hold the task's operands.
template <class T>
struct matrix_product {
    std::size_t batch;
    std::size_t m;
    std::size_t n;
    std::size_t k;
    placed_array<T> a;
    placed_array<T> b;
    placed_array<T> c;
    /// The labels of c, one for each axis of the output.
    std::string labels;
};

/// Nothing where the task is none: one operand, three, a diagonal, a label that one operand alone
/// has and that is summed.
template <class T>
[[nodiscard]] std::optional<matrix_product<T>> as_matrix_product(const task<T>& t);

/// Writes c in the order of the task's output.
template <class T>
void permute_to_output(const task<T>& t, const matrix_product<T>& product, T* out);

}  // namespace bench
