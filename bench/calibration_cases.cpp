// Equations for the figures of a machine: differences between "ij,j->ij" of 25 and of 200 columns
// tell what beginning a line costs.
#include "calibration_cases.hpp"

#include "random_cases.hpp"

namespace bench {

std::vector<bench_case> calibration_cases() {
    std::vector<bench_case> cases{
        // Entering a kernel.
        {"i,i->i", {{300}, {300}}},
        {"ij,j->i", {{20, 60}, {60}}},
        // Multiply-adds, packing and beginning a product.
        {"ij,jk->ik", {{480, 512}, {512, 480}}},
        {"ij,jk->ik", {{192, 256}, {256, 320}}, element::f64},
        {"ij,jk->ik", {{32, 512}, {512, 512}}},
        {"ij,jk->ik", {{64, 768}, {768, 768}}},
        {"ij,kj->ik", {{40, 400}, {600, 400}}},
        {"ji,jk->ik", {{400, 300}, {400, 120}}},
        {"ij,kj->ki", {{300, 200}, {200, 200}}, element::f64},
        {"bij,bkj->bik", {{200, 12, 1000}, {200, 10, 1000}}},
        {"bij,bkj->bik", {{2000, 3, 150}, {2000, 3, 150}}},
        {"bij,bkj->bik", {{2000, 5, 40}, {2000, 4, 40}}},
        // Bytes from each level, without sums, with sums, and written.
        {"i,i->", {{16384}, {16384}}},
        {"i,i->", {{262144}, {262144}}},
        {"i,i->", {{8388608}, {8388608}}},
        {"i,i->i", {{8192}, {8192}}},
        {"i,i->i", {{200000}, {200000}}},
        {"i,i->i", {{4000000}, {4000000}}},
        {"i->", {{32768}}},
        {"i->", {{524288}}},
        {"i->", {{16777216}}},
        {"i,j->ij", {{180}, {180}}},
        {"i,j->ij", {{1200}, {600}}},
        // Loads.
        {"i,i->", {{2048}, {2048}}},
        {"i,i->i", {{2048}, {2048}}},
        {"ij,j->i", {{8, 800}, {800}}},
        {"i,ij->j", {{12}, {12, 600}}},
        // Beginning lines of results and lines of terms.
        {"ij,j->ij", {{200, 25}, {25}}},
        {"ij,j->ij", {{24, 200}, {200}}},
        {"ij,jk->ijk", {{40, 20}, {20, 13}}},
        {"i,ij->j", {{128}, {128, 32}}},
        {"i,ij->j", {{500}, {500, 8}}},
        {"bi,bij->bj", {{50, 20}, {50, 20, 16}}},
        // Lines of terms whose lanes are added up, in fours and alone.
        {"ij,ij->i", {{64, 48}, {64, 48}}},
        {"ij,j->i", {{200, 32}, {32}}},
        {"ij,ij->i", {{40, 200}, {40, 200}}},
        {"ij->i", {{100, 60}}},
        {"ij,kj->ik", {{3, 200}, {3, 200}}},
        {"bij,bij->b", {{64, 7, 24}, {64, 7, 24}}},
        {"bij,bj->bi", {{100, 2, 40}, {100, 40}}},
        // Elements put into lanes, near and far.
        {"ij,ji->i", {{60, 64}, {64, 60}}},
        {"ij,ji->ij", {{60, 64}, {64, 60}}},
        {"ij,ji->ij", {{800, 900}, {900, 800}}},
        {"ij,ji->", {{60, 64}, {64, 60}}},
        {"ij,ji->", {{500, 700}, {700, 500}}},
        {"ij,ji->", {{1500, 1600}, {1600, 1500}}},
        // More inputs than kernels know when they are compiled.
        {"ij,ij,ij->ij", {{30, 64}, {30, 64}, {30, 64}}},
        {"ij,ij,ij->i", {{30, 64}, {30, 64}, {30, 64}}},
        {"i,i,i,i->i", {{2000}, {2000}, {2000}, {2000}}},
        // Results of products that lie apart.
        {"bij,bjk->ikb", {{24, 48, 40}, {24, 40, 48}}},
        {"bij,bjk->ikb", {{40, 30, 12}, {40, 12, 60}}, element::f64},
        // No vectors: terms, results, and data far away.
        {"ji,ki->jk", {{9, 50}, {9, 50}}},
        {"cb,bac->cba", {{40, 8}, {8, 16, 40}}},
        {"cb,bac->cba", {{200, 8}, {8, 64, 200}}},
        {"abc,cb->ca", {{20, 4, 30}, {30, 4}}},
        {"iji,jk->ki", {{9, 40, 9}, {40, 30}}},
        {"abi,aic->ica", {{30, 4, 12}, {30, 12, 3}}},
        {"eac,cbdae->bda", {{2, 20, 64}, {64, 13, 4, 20, 2}}},
        {"eac,cbdae->bda", {{2, 100, 256}, {256, 13, 4, 100, 2}}},
        // Windows.
        {"bchw,bchw->bc", {{2, 64, 7, 7}, {2, 64, 7, 7}}},
        {"bchw,bchw->bc", {{2, 32, 14, 14}, {2, 32, 14, 14}}},
        {"bhwc,bhwc->bc", {{2, 7, 7, 64}, {2, 7, 7, 64}}},
        {"zcpw,zcw->zcp", {{2, 16, 30, 9}, {2, 16, 9}}},
        {"zcwp,zcw->zcp", {{2, 16, 9, 60}, {2, 16, 9}}},
        {"zwcp,cw->pzc", {{4, 9, 16, 20}, {16, 9}}},
        {"wzc,zwc->cz", {{9, 20, 30}, {20, 9, 30}}},
    };
    // Whatever else equations ask for.
    constexpr std::size_t drawn = 80;
    constexpr double most_products = 1U << 19U;
    for (const bench_case& c : random_cases(drawn, 1, most_products)) {
        cases.push_back(c);
    }
    return cases;
}

}  // namespace bench
