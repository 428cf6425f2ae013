// Draws labels, extents and orders of axes of equations such as "cab,ad->dcb".
#include "random_cases.hpp"

#include "case_terms.hpp"

#include <algorithm>
#include <array>
#include <random>
#include <string>

namespace bench {

namespace {

class drawer {
public:
    explicit drawer(std::uint64_t seed) : engine_(seed) {}

    /// One number of those below a limit, the same on every machine.
    std::size_t below(std::size_t limit) { return engine_() % limit; }

    std::string shuffled(std::string labels) {
        for (std::size_t i = labels.size(); i > 1; --i) {
            std::swap(labels[i - 1], labels[below(i)]);
        }
        return labels;
    }

private:
    std::mt19937_64 engine_;
};

bench_case draw(drawer& from, double most_products) {
    constexpr std::array<std::size_t, 14> extents{2,  3,  4,  5,  7,  8,   13,
                                                  16, 25, 32, 64, 96, 200, 512};
    const std::string alphabet = "abcdef";
    const std::size_t operands = from.below(8) == 0 ? 1 : 2;
    extent_map extent;
    std::array<std::string, 2> terms{};
    std::string output;
    double products = 1;
    const std::size_t labels = 2 + from.below(5);
    for (std::size_t l = 0; l < labels; ++l) {
        const char label = alphabet[l];
        std::size_t e = extents[from.below(extents.size())];
        while (products * static_cast<double>(e) > most_products) {
            e = std::max<std::size_t>(e / 4, 1);
        }
        products *= static_cast<double>(e);
        extent[label] = e;
        // In the first operand, in the second or in both; in the output more often than not.
        const std::size_t where = operands == 1 ? 0 : from.below(3);
        if (where != 1) {
            terms[0] += label;
        }
        if (operands == 2 && where != 0) {
            terms[1] += label;
        }
        if (from.below(5) < 3) {
            output += label;
        }
    }
    bench_case c;
    for (std::size_t o = 0; o < operands; ++o) {
        terms[o] = from.shuffled(terms[o]);
        c.equation += o == 0 ? "" : ",";
        c.equation += terms[o];
        c.shapes.push_back(shape_of(terms[o], extent));
    }
    c.equation += "->";
    c.equation += from.shuffled(output);
    c.title = "random";
    return c;
}

}  // namespace

std::vector<bench_case> random_cases(std::size_t count, std::uint64_t seed, double most_products) {
    drawer from(seed);
    std::vector<bench_case> cases;
    for (std::size_t n = 0; n < count; ++n) {
        bench_case c = draw(from, most_products);
        while (std::any_of(c.shapes.begin(), c.shapes.end(),
                           [](const shape& s) { return s.empty(); })) {
            c = draw(from, most_products);
        }
        cases.push_back(c);
    }
    return cases;
}

}  // namespace bench
