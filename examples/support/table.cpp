// Columns as wide as their widest cell; see table.hpp.
#include "table.hpp"

#include <algorithm>
#include <iomanip>
#include <sstream>
#include <utility>

namespace example {

namespace {

std::string number(double x, int digits, const char* unit) {
    std::ostringstream text;
    text << std::fixed << std::setprecision(digits) << x << unit;
    return text.str();
}

}  // namespace

void table::add(std::vector<std::string> row) {
    widths_.resize(std::max(widths_.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) {
        widths_[i] = std::max(widths_[i], row[i].size());
    }
    rows_.push_back(std::move(row));
}

std::ostream& operator<<(std::ostream& out, const table& t) {
    for (const auto& row : t.rows_) {
        for (std::size_t i = 0; i < row.size(); ++i) {
            out << (i == 0 ? "  " : "   ") << (i == 0 ? std::left : std::right)
                << std::setw(static_cast<int>(t.widths_[i])) << row[i];
        }
        out << '\n';
    }
    return out;
}

std::string milliseconds(double seconds) {
    return number(seconds * 1e3, 2, " ms");
}
std::string megabytes(std::size_t bytes) {
    return number(static_cast<double>(bytes) / 1e6, 1, " MB");
}
std::string times(double ratio) {
    return number(ratio, 1, " times");
}

}  // namespace example
