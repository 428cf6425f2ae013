// Equations that only move elements: "ij->ji", "nchw->nhwc", "kk->k".
#include "cases.hpp"

namespace bench {

std::vector<bench_case> permute_cases() {
    return {
        {"ij->ji", {{4096, 4096}}},
        {"ijk->kji", {{256, 256, 256}}},
        {"nchw->nhwc", {{8, 64, 56, 56}}},
        {"nchw->nhwc", {{8, 3, 224, 224}}},
        {"nhwc->nchw", {{8, 224, 224, 3}}},
        {"abcdef->fedcba", {{8, 9, 10, 11, 12, 13}}},
        {"abcdef->fedcba", {{16, 16, 16, 16, 16, 16}}},
        {"kk->k", {{4096, 4096}}},
    };
}

}  // namespace bench
