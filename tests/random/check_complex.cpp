// Random calls such as "ij,jk->ik" in complex numbers.
#include "../support/shared_calls.hpp"
#include "check_case_definitions.hpp"

template std::string random_calls::failure_of<std::complex<float>>(const random_case&);
template std::string random_calls::failure_of<std::complex<double>>(const random_case&);
