// Calls such as "ij,jk->ik" on complex numbers.
#include "evaluate_definitions.hpp"
#include "shared_calls.hpp"

#include <complex>

SUPPORT_INSTANTIATE(std::complex<float>);
SUPPORT_INSTANTIATE(std::complex<double>);
