// The xtensor expression for a task: "ij,jk->ik" as xt::sum(a * b, {2}) of operands that are
// broadcast to the axes i, k, j.
#pragma once

#include "task.hpp"

#include <functional>

namespace bench {

/// A call that assigns the lazy expression to the task's output. The task must outlive it.
template <class T>
[[nodiscard]] std::function<void()> expression_of(const task<T>& t);

extern template std::function<void()> expression_of(const task<float>&);
extern template std::function<void()> expression_of(const task<double>&);

}  // namespace bench
