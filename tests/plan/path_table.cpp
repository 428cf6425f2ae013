// The networks of paths.tsv with the operations that opt_einsum 3.3 needs by each of its searches;
// a pair counts the product of its extents, twice where it sums.
#include "../support/path_replay.hpp"

#include <xeinsum/plan/path.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace {

using xeinsum::label;
using xeinsum::path_strategy;

std::vector<std::string> split(const std::string& text, char separator) {
    std::vector<std::string> parts;
    std::stringstream in(text);
    for (std::string part; std::getline(in, part, separator);) {
        parts.push_back(part);
    }
    return parts;
}

std::vector<label> labels_of(const std::string& text) {
    std::vector<label> labels;
    for (const std::string& part : split(text, ',')) {
        labels.push_back(std::stoi(part));
    }
    std::sort(labels.begin(), labels.end());
    return labels;
}

struct network {
    std::string name{};
    std::vector<std::vector<label>> terms{};
    std::vector<label> output{};
    std::vector<std::int64_t> extents{};
    // 0 where opt_einsum was not asked.
    double optimal = 0;
    double dynamic = 0;
    double greedy = 0;
    double random = 0;

    explicit network(const std::string& line) {
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

    [[nodiscard]] double operations(path_strategy strategy) const {
        support::path_problem p;
        p.terms = terms;
        p.output = output;
        p.extents = extents;
        xeinsum::options wanted;
        wanted.path = strategy;
        return support::path_replay(p, xeinsum::planning::find_path(p, wanted)).operations;
    }
};

std::vector<network> networks() {
    std::ifstream in(XEINSUM_PATH_TABLE);
    std::string line;
    std::getline(in, line);  // the names of the columns
    std::vector<network> all;
    while (std::getline(in, line)) {
        all.emplace_back(line);
    }
    REQUIRE(all.size() == 42);
    return all;
}

}  // namespace

TEST_CASE("optimal needs no more operations than any search of opt_einsum") {
    int rows = 0;
    for (const network& n : networks()) {
        if (n.optimal == 0 && n.dynamic == 0) {
            continue;
        }
        CAPTURE(n.name);
        const double ours = n.operations(path_strategy::optimal);
        for (const double theirs : {n.optimal, n.dynamic}) {
            CHECK((theirs == 0 || ours <= theirs));
        }
        CHECK((n.optimal == 0 || ours == n.optimal));
        ++rows;
    }
    CHECK(rows == 36);
}

TEST_CASE("greedy needs no more operations than opt_einsum's greedy, and never twice as many") {
    double logarithms = 0;
    for (const network& n : networks()) {
        CAPTURE(n.name);
        const double ratio = n.operations(path_strategy::greedy) / n.greedy;
        CHECK(ratio <= 2);
        logarithms += std::log(ratio);
    }
    CHECK(logarithms <= 0);
}

TEST_CASE("automatic needs no more operations than 128 random greedy paths of opt_einsum") {
    double automatic = 0;
    double random = 0;
    for (const network& n : networks()) {
        CAPTURE(n.name);
        automatic += std::log(n.operations(path_strategy::automatic) / n.random);
        random += std::log(n.operations(path_strategy::random_greedy) / n.random);
    }
    CHECK(automatic <= 0);
    CHECK(random <= 0);
}
