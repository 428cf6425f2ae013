// Reads equations and gives them extents: "...j,j" of shapes 2,3 and 3 becomes "ab,b->a" of 48
// x 25.
#include "conformance_cases.hpp"

#include "case_terms.hpp"

#include <xeinsum/equation/network.hpp>
#include <xeinsum/equation/parser.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>

namespace bench {

namespace {

std::vector<std::string> fields_of(const std::string& line, char between) {
    std::vector<std::string> fields(1);
    for (const char c : line) {
        if (c == between) {
            fields.emplace_back();
        } else {
            fields.back() += c;
        }
    }
    return fields;
}

/// Shapes are such as "2,3;3"; an operand without axes has an empty one.
std::vector<std::size_t> ranks_of(const std::string& shapes) {
    std::vector<std::size_t> ranks;
    for (const std::string& s : fields_of(shapes, ';')) {
        ranks.push_back(s.empty() ? 0 : fields_of(s, ',').size());
    }
    return ranks;
}

/// Labels become letters in the order in which they occur.
class letters {
public:
    std::string term(const auto& axes) {
        std::string text;
        for (const xeinsum::label l : axes) {
            const auto next = static_cast<char>('a' + names_.size());
            text += names_.emplace(l, next).first->second;
        }
        return text;
    }
    [[nodiscard]] std::size_t count() const { return names_.size(); }

private:
    std::map<xeinsum::label, char> names_{};
};

double elements(const std::string& term, const std::vector<std::size_t>& extents) {
    double count = 1;
    for (const char label : term) {
        count *= static_cast<double>(extents[static_cast<std::size_t>(label - 'a')]);
    }
    return count;
}

std::map<char, std::size_t> extents_of(const std::string& equation,
                                       const std::vector<std::string>& terms, std::size_t labels) {
    constexpr std::array<std::size_t, 7> usual{8, 12, 16, 25, 32, 48, 64};
    constexpr double most = 1U << 23U, least = 1U << 16U, most_elements = 1U << 21U;
    std::uint32_t hash = 2166136261U;  // FNV-1a, the same on every machine
    for (const char c : equation) {
        hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
    }
    std::vector<std::size_t> extents;
    double products = 1;
    for (std::size_t l = 0; l < labels; ++l) {
        extents.push_back(usual[(hash >> 4U) % usual.size()]);
        products *= static_cast<double>(extents.back());
        hash = hash * 1664525U + 1013904223U;
    }
    while (products > most) {
        std::size_t& longest = *std::max_element(extents.begin(), extents.end());
        products /= static_cast<double>(longest);
        longest = (longest + 1) / 2;
        products *= static_cast<double>(longest);
    }
    // Diagonals hold more elements than products are formed.
    const auto may_grow = [&] {
        return std::all_of(terms.begin(), terms.end(), [&](const std::string& term) {
            return elements(term, extents) <= most_elements;
        });
    };
    while (products < least && may_grow()) {
        *std::min_element(extents.begin(), extents.end()) *= 2;
        products *= 2;
    }
    while (!may_grow()) {
        std::size_t& longest = *std::max_element(extents.begin(), extents.end());
        longest = (longest + 1) / 2;
    }
    std::map<char, std::size_t> of;
    for (std::size_t l = 0; l < labels; ++l) {
        of[static_cast<char>('a' + l)] = extents[l];
    }
    return of;
}

}  // namespace

std::vector<bench_case> conformance_cases(const std::string& file) {
    constexpr std::size_t most_operands = 6;
    std::ifstream in(file);
    if (!in) {
        throw std::runtime_error("cannot read " + file);
    }
    std::vector<bench_case> cases;
    std::set<std::string> known;
    std::string line;
    std::getline(in, line);  // names of the columns
    while (std::getline(in, line)) {
        const std::vector<std::string> fields = fields_of(line, '\t');
        const auto parsed =
            xeinsum::parse(std::string_view(fields.at(2)), xeinsum::notation::letters);
        const auto ranks = ranks_of(fields.at(3));
        const auto net = xeinsum::resolve<xeinsum::heap_storage>(parsed, ranks);
        if (!net.error.ok() || ranks.size() > most_operands) {
            continue;
        }
        letters named;
        std::vector<std::string> terms;
        bench_case c;
        c.title = "conformance";
        for (std::size_t o = 0; o < ranks.size(); ++o) {
            terms.push_back(named.term(net.view().operand(o)));
            c.equation += o == 0 ? "" : ",";
            c.equation += terms.back();
        }
        c.equation += "->";
        c.equation += named.term(net.view().output);
        const bool has_numbers =
            std::any_of(terms.begin(), terms.end(), [](const std::string& t) { return t.empty(); });
        constexpr std::size_t alphabet = 26;
        if (has_numbers || named.count() > alphabet || !known.insert(c.equation).second) {
            continue;
        }
        const auto extents = extents_of(c.equation, terms, named.count());
        for (const std::string& term : terms) {
            c.shapes.push_back(shape_of(term, extents));
        }
        c.element = cases.size() % 3 == 2 ? element::f64 : element::f32;
        cases.push_back(c);
    }
    return cases;
}

}  // namespace bench
