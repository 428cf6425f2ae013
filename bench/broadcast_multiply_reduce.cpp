// Contractions that move more than they compute, and sums: "bld,dn->bldn", "bdn,bn->bd", "ij->i".
#include "cases.hpp"

namespace bench {

std::vector<bench_case> broadcast_multiply_reduce_cases() {
    return {
        {"bld,dn->bldn", {{1, 1024, 1536}, {1536, 16}}},
        {"bld,bln,bld->bldn", {{1, 1024, 1536}, {1, 1024, 16}, {1, 1024, 1536}}},
        {"bdn,bn->bd", {{8, 1536, 16}, {8, 16}}},
        {"zabcde,zabcdef->zcdef", {{1, 500, 7, 4, 13, 8}, {1, 500, 7, 4, 13, 8, 32}}},
        {"i,j->ij", {{4096}, {4096}}},
        {"ij,ij->", {{4096, 4096}, {4096, 4096}}},
        {"i,i->", {{4096}, {4096}}},
        {"i,i->", {{4194304}, {4194304}}},
        {"ii->", {{4096, 4096}}},
        {"ij->i", {{4096, 4096}}},
        {"ij->j", {{4096, 4096}}},
        {"ijk->j", {{256, 256, 256}}},
    };
}

}  // namespace bench
