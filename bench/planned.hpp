// A task's plan with all that a run needs: planned("ij,jk->ik") runs without allocation.
#pragma once

#include "task.hpp"

#include <xeinsum/plan/options.hpp>

#include <functional>
#include <string>

namespace bench {

/// A call that plans nothing and allocates nothing: reads the task's operands, writes its output.
/// The task must outlive it. Throws einsum_error where a forced lowering does not apply.
template <class T>
[[nodiscard]] std::function<void()> plan_of(const task<T>& t, const xeinsum::options& wanted = {});

/// The lowerings of the plan's steps: "gemm", or "broadcast_multiply_reduce+gemm".
template <class T>
[[nodiscard]] std::string chosen_lowerings(const task<T>& t);

/// Seconds that a run of the plan is predicted to take.
template <class T>
[[nodiscard]] double predicted_seconds(const task<T>& t, const xeinsum::options& wanted);

/// Whether both options give the same plan.
template <class T>
[[nodiscard]] bool plan_alike(const task<T>& t, const xeinsum::options& a,
                              const xeinsum::options& b);

extern template std::function<void()> plan_of(const task<float>&, const xeinsum::options&);
extern template std::function<void()> plan_of(const task<double>&, const xeinsum::options&);
extern template std::string chosen_lowerings(const task<float>&);
extern template std::string chosen_lowerings(const task<double>&);
extern template double predicted_seconds(const task<float>&, const xeinsum::options&);
extern template double predicted_seconds(const task<double>&, const xeinsum::options&);
extern template bool plan_alike(const task<float>&, const xeinsum::options&,
                                const xeinsum::options&);
extern template bool plan_alike(const task<double>&, const xeinsum::options&,
                                const xeinsum::options&);

}  // namespace bench
