// The networks of plan/paths.tsv, such as [1,0],[2,3,0],[2,1,3]->[] with the extents of its
// operands, and the operations that opt_einsum 3.3 needs by each of its searches; a pair counts the
// product of its extents, twice where it sums.
#pragma once

#include <xeinsum/plan/path/problem.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace support {

class path_table_row {
public:
    std::string name{};
    std::vector<std::vector<xeinsum::label>> terms{};
    std::vector<xeinsum::label> output{};
    std::vector<std::int64_t> extents{};
    // 0 where opt_einsum was not asked.
    double optimal = 0;
    double dynamic = 0;
    double greedy = 0;
    double random = 0;

    explicit path_table_row(const std::string& line) {
        const auto fields = split(line, '\t');
        name = fields[0];
        const auto sides = split(fields[2], '>');  // "[1,0],[2]-" and "[1]"
        const auto shapes = split(fields[3], ';');
        std::size_t at = 0;
        while ((at = sides[0].find('[', at)) != std::string::npos) {
            const std::size_t end = sides[0].find(']', at);
            const std::string inside = sides[0].substr(at + 1, end - at - 1);
            const auto extent = split(shapes[terms.size()], ',');
            std::size_t axis = 0;
            for (const std::string& part : split(inside, ',')) {
                const auto l = static_cast<std::size_t>(std::stoi(part));
                extents.resize(std::max(extents.size(), l + 1), 1);
                extents[l] = std::stoi(extent[axis++]);
            }
            terms.push_back(labels_of(inside));
            at = end;
        }
        output = labels_of(sides[1].substr(1, sides[1].size() - 2));
        const auto number = [](const std::string& text) {
            return text == "-" ? 0.0 : std::stod(text);
        };
        optimal = number(fields[4]);
        dynamic = number(fields[5]);
        greedy = number(fields[6]);
        random = number(fields[7]);
    }

    /// Refers to the row.
    [[nodiscard]] xeinsum::planning::path_problem problem() const {
        xeinsum::planning::path_problem p;
        p.terms = terms;
        p.output = output;
        p.extents = extents;
        return p;
    }

private:
    static std::vector<std::string> split(const std::string& text, char separator) {
        std::vector<std::string> parts;
        std::stringstream in(text);
        for (std::string part; std::getline(in, part, separator);) {
            parts.push_back(part);
        }
        return parts;
    }

    static std::vector<xeinsum::label> labels_of(const std::string& text) {
        std::vector<xeinsum::label> labels;
        for (const std::string& part : split(text, ',')) {
            labels.push_back(std::stoi(part));
        }
        std::sort(labels.begin(), labels.end());
        return labels;
    }
};

[[nodiscard]] inline std::vector<path_table_row> read_path_table(const std::string& file) {
    std::ifstream in(file);
    std::string line;
    std::getline(in, line);  // the names of the columns
    std::vector<path_table_row> rows;
    while (std::getline(in, line)) {
        rows.emplace_back(line);
    }
    return rows;
}

}  // namespace support
