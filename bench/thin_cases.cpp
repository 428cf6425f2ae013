// Gives each label of "bij,bjk->bik" every extent in turn.
#include "thin_cases.hpp"

#include "case_terms.hpp"

#include <array>
#include <cstddef>
#include <string>

namespace bench {

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
        const std::vector<std::string> terms = operand_terms(equation);
        extent_map extents;
        for (const std::string& term : terms) {
            for (const char label : term) {
                extents[label] = 0;
            }
        }
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
                for (const std::string& term : terms) {
                    c.shapes.push_back(shape_of(term, extents));
                }
                c.title = "thin";
                cases.push_back(c);
            }
        }
    }
    return cases;
}

}  // namespace bench
