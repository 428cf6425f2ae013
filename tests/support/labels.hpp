// Integer-label equations as the tables write them: "[0,1],[1,...]->[0,...]".
#pragma once

#include <xeinsum/equation/parser.hpp>

#include <string_view>

namespace support {

/// Throws einsum_error where equation::from_labels refuses the labels.
[[nodiscard]] xeinsum::equation parse_labels(std::string_view text);

}  // namespace support
