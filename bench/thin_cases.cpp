// Gives each label of "bij,bjk->bik" every extent in turn.
#include "thin_cases.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <string>

namespace bench {

namespace {

std::vector<shape> shapes_of(const std::string& equation,
                             const std::map<char, std::size_t>& extents) {
    std::vector<shape> shapes(1);
    for (const char c : equation.substr(0, equation.find("->"))) {
        if (c == ',') {
            shapes.emplace_back();
        } else {
            shapes.back().push_back(extents.at(c));
        }
    }
    return shapes;
}

/// The labels of an equation of letters, each with an extent of 0.
std::map<char, std::size_t> labels_of(const std::string& equation) {
    std::map<char, std::size_t> labels;
    for (const char c : equation) {
        if (c >= 'a' && c <= 'z') {
            labels[c] = 0;
        }
    }
    return labels;
}

}  // namespace

std::vector<bench_case> thin_cases() {
    static constexpr std::array equations{
        "ij,jk->ik",    "ij,kj->ik",    "ji,jk->ik",    "ij,jk->ki",    "ij,ij->j",
        "ij,j->i",      "i,ij->j",      "bij,bjk->bik", "bij,bkj->bik", "bji,bjk->bik",
        "bij,jk->bik",  "ijb,jkb->ikb", "bij,bj->bi",   "abj,bj->ab",   "ijb,jb->ib",
        "bij,bi->bj",   "abc,ac->b",    "abc,bd->acd",  "bic,bjc->bij", "ibc,jbc->bij",
        "abc,cbd->cad", "abc,dbc->ad",
    };
    static constexpr std::array<std::size_t, 5> usual{2, 5, 16, 100, 1000};
    constexpr std::size_t least = std::size_t{1} << 14U, most = std::size_t{1} << 21U;
    std::vector<bench_case> cases;
    for (const char* equation : equations) {
        std::map<char, std::size_t> extents = labels_of(equation);
        std::size_t count = 1;
        for (std::size_t l = 0; l < extents.size(); ++l) {
            count *= usual.size();
        }
        for (std::size_t n = 0; n < count; ++n) {
            std::size_t rest = n;
            std::size_t products = 1;
            for (auto& [label, extent] : extents) {
                extent = usual[rest % usual.size()];
                rest /= usual.size();
                products *= extent;
            }
            if (products >= least && products <= most) {
                bench_case c;
                c.equation = equation;
                c.shapes = shapes_of(equation, extents);
                c.title = "thin";
                cases.push_back(c);
            }
        }
    }
    return cases;
}

}  // namespace bench
