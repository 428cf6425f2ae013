// Contractions that are products of matrices: "ij,jk->ik" of all sizes, attention, graph
// convolution.
#include "cases.hpp"

namespace bench {

std::vector<bench_case> gemm_cases() {
    std::vector<bench_case> cases{
        {"nctw,cd->ndtw", {{8, 64, 300, 25}, {64, 128}}},
        {"nkctv,kvw->nctw", {{8, 3, 64, 150, 25}, {3, 25, 25}}},
        {"nkctv,kcvw->nctw", {{8, 3, 64, 150, 25}, {3, 64, 25, 25}}},
        {"bhnm,bdhm->bdhn", {{8, 8, 64, 64}, {8, 64, 8, 64}}},
        {"bhqd,bhkd->bhqk", {{2, 12, 512, 64}, {2, 12, 512, 64}}},
        {"bqhd,bkhd->bhqk", {{2, 512, 12, 64}, {2, 512, 12, 64}}},
        {"bhqk,bkhd->bqhd", {{2, 12, 512, 512}, {2, 512, 12, 64}}},
        // Skinny ones: m, n or k small, the others large, and one that nothing divides.
        {"ij,jk->ik", {{2048, 2048}, {2048, 16}}},
        {"ij,jk->ik", {{16, 2048}, {2048, 2048}}},
        {"ij,jk->ik", {{2048, 16}, {16, 2048}}},
        {"ij,jk->ik", {{16, 65536}, {65536, 16}}},
        {"ij,jk->ik", {{509, 521}, {521, 523}}},
        {"ij,kj->ik", {{8, 2048}, {2048, 2048}}},
        {"ij,kj->ik", {{512, 512}, {512, 512}}},
        {"ji,jk->ik", {{512, 512}, {512, 512}}},
        {"ij,j->i", {{2048, 2048}, {2048}}},
        {"i,ij->j", {{2048}, {2048, 2048}}},
    };
    for (const element e : {element::f32, element::f64}) {
        for (std::size_t n = 4; n <= 2048; n *= 2) {
            cases.push_back({"ij,jk->ik", {{n, n}, {n, n}}, e});
        }
    }
    // Many small products.
    for (const std::size_t n : {4U, 8U, 16U, 32U}) {
        cases.push_back({"bij,bjk->bik", {{10000, n, n}, {10000, n, n}}});
        cases.push_back({"ijb,jkb->ikb", {{n, n, 1000}, {n, n, 1000}}});
    }
    return cases;
}

}  // namespace bench
