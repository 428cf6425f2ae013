// Reads a case: "ij,jk->ik" and {2, 3}, {3, 4} give i = 2, j = 3, k = 4.
#include "case_terms.hpp"

#include <sstream>
#include <stdexcept>

namespace bench {

namespace {

std::size_t arrow_in(const std::string& equation) {
    const std::size_t arrow = equation.find("->");
    if (arrow == std::string::npos) {
        throw std::invalid_argument("a case has no output: " + equation);
    }
    return arrow;
}

}  // namespace

shape shape_of(const std::string& labels, const extent_map& extents) {
    shape s;
    for (const char label : labels) {
        s.push_back(extents.at(label));
    }
    return s;
}

std::vector<std::string> operand_terms(const std::string& equation) {
    std::istringstream inputs(equation.substr(0, arrow_in(equation)));
    std::vector<std::string> terms;
    for (std::string term; std::getline(inputs, term, ',');) {
        terms.push_back(term);
    }
    return terms;
}

case_terms::case_terms(const bench_case& c)
    : equation_(c.equation),
      element_bytes_(c.element == element::f32 ? 4 : 8),
      terms_(operand_terms(equation_)),
      output_term_(equation_.substr(arrow_in(equation_) + 2)) {
    for (std::size_t o = 0; o < terms_.size(); ++o) {
        if (terms_.size() != c.shapes.size() || terms_[o].size() != c.shapes[o].size()) {
            throw std::invalid_argument("a case has other shapes than terms: " + name(c));
        }
        for (std::size_t a = 0; a < terms_[o].size(); ++a) {
            const char label = terms_[o][a];
            if (extents_.emplace(label, c.shapes[o][a]).first->second != c.shapes[o][a]) {
                throw std::invalid_argument("a label has two extents: " + name(c));
            }
            if ((output_term_ + summed_).find(label) == std::string::npos) {
                summed_ += label;
            }
        }
    }
}

std::size_t case_terms::elements(const std::string& labels) const {
    std::size_t count = 1;
    for (const char label : labels) {
        count *= extent(label);
    }
    return count;
}

double case_terms::products() const {
    double all = 1;
    for (const auto& [label, extent] : extents_) {
        all *= static_cast<double>(extent);
    }
    return all;
}

double case_terms::flops() const {
    const auto multiplications = static_cast<double>(terms_.size() - 1);
    return products() * (multiplications + (summed_.empty() ? 0 : 1));
}

double case_terms::bytes() const {
    std::size_t count = elements(output_term_);
    for (const std::string& term : terms_) {
        std::string distinct;
        for (const char label : term) {
            distinct += distinct.find(label) == std::string::npos ? std::string(1, label) : "";
        }
        count += elements(distinct);
    }
    return static_cast<double>(count * element_bytes_);
}

bool case_terms::is_long() const {
    return products() * static_cast<double>(element_bytes_) > 64.0 * 1024 * 1024;
}

}  // namespace bench
