// The equations of the programs in examples/ that stand in no other table, at the extents that they
// have there: "bhnd,bhmd->bhnm" and others.
#include "cases.hpp"

namespace bench {

std::vector<bench_case> example_cases() {
    std::vector<bench_case> cases{
        {"nkctv,kvw->nctw", {{1, 3, 64, 150, 25}, {3, 25, 25}}},
        {"nkctv,kcvw->nctw", {{1, 3, 64, 150, 25}, {3, 64, 25, 25}}},
        {"bdn,bn->bd", {{1, 1536, 16}, {1, 16}}},
        {"bdn,bn->bd", {{2, 24, 16}, {2, 16}}},
        {"bhnd,bhmd->bhnm", {{2, 8, 192, 64}, {2, 8, 256, 64}}},
        {"bhnm,bhmd->bhnd", {{2, 8, 192, 256}, {2, 8, 256, 64}}},
        {"bqhd,bkhd->bhqk", {{2, 192, 8, 64}, {2, 256, 8, 64}}},
        {"bhqk,bkhd->bqhd", {{2, 8, 192, 256}, {2, 256, 8, 64}}},
        {"bhnm->bhn", {{2, 8, 192, 256}}},
        {"zabcde,zabcdef->zcdef", {{1, 20, 7, 4, 13, 8}, {1, 20, 7, 4, 13, 8, 32}}},
    };
    for (const std::size_t n : {1U, 8U}) {
        cases.push_back({"nctw,cd->ndtw", {{n, 64, 150, 25}, {64, 48}}});
        cases.push_back({"bhnm,bdhm->bdhn", {{n, 8, 150, 150}, {n, 16, 8, 150}}});
    }
    for (bench_case& c : cases) {
        c.title = "example";
    }
    return cases;
}

}  // namespace bench
