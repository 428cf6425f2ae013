// Prints measurements: a line such as "ij,jk->ik/8x8,8x8/f32 | 2.1 | 1.6 | ..." as soon as a case
// is done, and all samples as JSON in the end.
#pragma once

#include "measure.hpp"

#include <cstddef>
#include <ostream>
#include <string>
#include <vector>

namespace bench {

/// A table that is printed line by line; widths are known before the first.
class table {
public:
    table(std::ostream& out, bool markdown, std::size_t name_width,
          const std::vector<const peer*>& peers, bool regret);

    void print(const measurement& m);

private:
    void print_line(const std::vector<std::string>& cells);

    std::ostream& out_;
    bool markdown_;
    bool regret_;
    std::vector<std::size_t> widths_{};
};

void print_json(std::ostream& out, const std::vector<measurement>& all);

}  // namespace bench
