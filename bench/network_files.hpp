// Networks that others published, such as circuits of hundreds of tensors, by our order of
// contraction and by theirs.
#pragma once

#include <cstddef>
#include <string>

namespace bench {

/// What is planned and what is run.
struct network_limits {
    double search_seconds = 1;        ///< options::path_seconds
    double intermediate_gib = 1;      ///< options::memory_limit
    double longest_run_seconds = 10;  ///< predicted; longer ones are only planned
};

/// Prints two lines for each network of a file, ours and theirs; see support/network_file.hpp for
/// the format. False where the file holds no network or results differ.
[[nodiscard]] bool run_network_file(const std::string& file, const network_limits& limits);

}  // namespace bench
