// Judges results before they are timed: xeinsum's "ij,jk->ik" by xeinsum::reference, all others by
// xeinsum's, element by element.
#pragma once

#include "task.hpp"

#include <cstddef>

namespace bench {

/// Whether elements are what xeinsum::reference says: all of them, or for large tasks some that are
/// drawn at random. The reference's bound is needless here: sums of the task's whole numbers are
/// exact, so that correct results do not differ.
template <class T>
[[nodiscard]] bool agrees_with_reference(const task<T>& t, const T* result);

}  // namespace bench
