// What bench_calibrate runs: equations whose times depend on one figure of the machine or another,
// as "ij,j->ij" with short lines does on beginning a line.
#pragma once

#include "cases.hpp"

#include <vector>

namespace bench {

[[nodiscard]] std::vector<bench_case> calibration_cases();

}  // namespace bench
