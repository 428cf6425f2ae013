// What is wrong with one random call, or nothing.
#pragma once

#include "random_case.hpp"

#include <complex>
#include <cstdint>
#include <string>

namespace random_calls {

/// Makes the call in elements of T, such as "ij,jk->ik" in float, and compares every byte of the
/// memory around its arrays with what it should hold. Empty where all is right, or the case asks
/// for what the library may refuse.
template <class T>
[[nodiscard]] std::string failure_of(const random_case& c);

}  // namespace random_calls
