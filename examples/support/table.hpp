// Rows of text in columns: a row is {"nctw,cd->ndtw", "1.5 ms", "12.3 MB"}.
#pragma once

#include <cstddef>
#include <ostream>
#include <string>
#include <vector>

namespace example {

/// Prints the first column to the left, the others to the right.
class table {
public:
    explicit table(std::vector<std::string> head) { add(std::move(head)); }

    void add(std::vector<std::string> row);
    friend std::ostream& operator<<(std::ostream& out, const table& t);

private:
    std::vector<std::vector<std::string>> rows_{};
    std::vector<std::size_t> widths_{};
};

/// 0.0015 as "1.50 ms".
[[nodiscard]] std::string milliseconds(double seconds);
/// 1500000 as "1.5 MB".
[[nodiscard]] std::string megabytes(std::size_t bytes);
/// "12.3 times"
[[nodiscard]] std::string times(double ratio);

}  // namespace example
