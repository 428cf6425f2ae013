// Gives each label of "bij,bjk->bik" every extent in turn.
#include "thin_cases.hpp"

#include "case_terms.hpp"

#include <cstddef>
#include <initializer_list>
#include <string>

namespace bench {

namespace {

/// Those with no fewer products than least and no more than most.
std::vector<bench_case> of_every_extent(const std::string& title,
                                        std::initializer_list<const char*> equations,
                                        std::initializer_list<std::size_t> usual, double least,
                                        double most) {
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
            double products = 1;
            for (auto& [label, extent] : extents) {
                extent = usual.begin()[rest % usual.size()];
                rest /= usual.size();
                products *= static_cast<double>(extent);
            }
            if (products >= least && products <= most) {
                bench_case c;
                c.equation = equation;
                for (const std::string& term : terms) {
                    c.shapes.push_back(shape_of(term, extents));
                }
                c.title = title;
                cases.push_back(c);
            }
        }
    }
    return cases;
}

}  // namespace

std::vector<bench_case> thin_cases() {
    return of_every_extent(
        "thin", {"ij,jk->ik",    "ij,kj->ik",    "ji,jk->ik",    "ij,jk->ki",    "ij,ij->j",
                 "ij,j->i",      "i,ij->j",      "bij,bjk->bik", "bij,bkj->bik", "bji,bjk->bik",
                 "bij,jk->bik",  "ijb,jkb->ikb", "bij,bj->bi",   "abj,bj->ab",   "ijb,jb->ib",
                 "bij,bi->bj",   "abc,ac->b",    "abc,bd->acd",  "bic,bjc->bij", "ibc,jbc->bij",
                 "abc,cbd->cad", "abc,dbc->ad"},
        {2, 5, 16, 100, 1000}, 0x1p14, 0x1p21);
}

std::vector<bench_case> matrix_cases() {
    return of_every_extent("matrices", {"ij,jk->ik", "ij,kj->ik", "ji,jk->ik", "ji,kj->ik"},
                           {16, 48, 128, 400, 1024, 3000}, 2e5, 1.6e9);
}

}  // namespace bench
