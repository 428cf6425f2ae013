// The published contractions in tccg_cases.tsv: Bf01 is "adb,cd->cba" with a = 384, c = 24.
#pragma once

#include "cases.hpp"

#include <string>
#include <vector>

namespace bench {

/// Throws std::runtime_error where the file cannot be read.
[[nodiscard]] std::vector<bench_case> read_tccg_cases(const std::string& file);

}  // namespace bench
