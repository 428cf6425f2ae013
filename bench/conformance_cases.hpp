// The equations of the conformance table, such as "i,ij->j", on extents worth measuring.
#pragma once

#include "cases.hpp"

#include <string>
#include <vector>

namespace bench {

/// Every equation of tests/conformance/einsum.tsv once, whatever its labels are called, with up to
/// six operands of which none is a number. Extents are 8 to 64, fewer where there would be more
/// than 2^23 products, more where there would be less than 2^16; the same ones each time.
[[nodiscard]] std::vector<bench_case> conformance_cases(const std::string& file);

}  // namespace bench
