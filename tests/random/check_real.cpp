// Random calls such as "ij,jk->ik" in float and double.
#include "../support/shared_calls.hpp"
#include "check_case_definitions.hpp"

template std::string random_calls::failure_of<float>(const random_case&);
template std::string random_calls::failure_of<double>(const random_case&);
