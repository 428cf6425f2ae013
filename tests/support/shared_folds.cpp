// Reductions such as "a b -> a", compiled once for all tests.
#include "shared_folds.hpp"

SUPPORT_FOLDS(, float);
SUPPORT_FOLDS(, double);
SUPPORT_FOLDS(, std::int32_t);
SUPPORT_FOLDS(, std::int64_t);
