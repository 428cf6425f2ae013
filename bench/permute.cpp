// Equations that only move elements: "ij->ji", "nchw->nhwc", "kk->k".
#include "cases.hpp"

namespace bench {

std::vector<bench_case> permute_cases() {
    return {
        {"ij->ji", {{4096, 4096}}},
        {"ijk->kji", {{256, 256, 256}}},
        {"nchw->nhwc", {{8, 64, 56, 56}}},
        {"kk->k", {{4096, 4096}}},
    };
}

}  // namespace bench
