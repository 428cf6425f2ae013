// Random calls such as "ij,jk->ik" in integers.
#include "../support/shared_calls.hpp"
#include "check_case_definitions.hpp"

template std::string random_calls::failure_of<std::int32_t>(const random_case&);
template std::string random_calls::failure_of<std::int64_t>(const random_case&);
