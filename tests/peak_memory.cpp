// What a call needs beside its arrays: "bld,dn->bldn" stores no product but the output.
#include "../examples/support/memory.hpp"

#include <xeinsum/compiled.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace {

using shape = std::vector<std::size_t>;

xt::xarray<float> filled(const shape& extents) {
    auto a = xt::xarray<float>::from_shape(extents);
    std::size_t n = 0;
    for (float& x : a.storage()) {
        x = static_cast<float>(n++ % 7) - 3;
    }
    return a;
}

struct call {
    const char* equation;
    std::vector<shape> shapes;
    shape result;
};

}  // namespace

TEST_CASE("a call needs its operands, its output and at most 2 MiB") {
    const std::vector<call> calls{
        {"bld,dn->bldn", {{1, 1024, 1536}, {1536, 16}}, {1, 1024, 1536, 16}},
        {"bld,bln,bld->bldn", {{1, 512, 768}, {1, 512, 16}, {1, 512, 768}}, {1, 512, 768, 16}},
        {"bdn,bn->bd", {{8, 1536, 16}, {8, 16}}, {8, 1536}},
        {"zabcde,zabcdef->zcdef",
         {{1, 100, 7, 4, 13, 8}, {1, 100, 7, 4, 13, 8, 32}},
         {1, 4, 13, 8, 32}},
        {"bchw,bchw->bc", {{32, 256, 14, 14}, {32, 256, 14, 14}}, {32, 256}},
        {"bhwc,bhwc->bc", {{32, 14, 14, 256}, {32, 14, 14, 256}}, {32, 256}},
        {"ij->ji", {{2047, 1025}}, {1025, 2047}},
        {"ijk->kji", {{128, 65, 130}}, {130, 65, 128}},
        {"nchw->nhwc", {{8, 64, 56, 57}}, {8, 56, 57, 64}},
        {"abcdef->fedcba", {{8, 9, 10, 11, 12, 13}}, {13, 12, 11, 10, 9, 8}},
        {"kk->k", {{2000, 2000}}, {2000}},
        {"ij->j", {{2000, 1001}}, {1001}},
        {"ij,ij->", {{2000, 1001}, {2000, 1001}}, {}},
        {"ij,jk->ik", {{700, 900}, {900, 800}}, {700, 800}},
        {"nctw,cd->ndtw", {{2, 64, 300, 25}, {64, 128}}, {2, 128, 300, 25}},
        {"nkctv,kvw->nctw", {{2, 3, 64, 150, 25}, {3, 25, 25}}, {2, 64, 150, 25}},
        {"adb,cd->cba", {{200, 96, 210}, {24, 96}}, {24, 210, 200}},
        {"dac,bcd->ba", {{48, 130, 52}, {120, 52, 48}}, {120, 130}},
        {"cafb,cfbed->ade", {{8, 4, 64, 4}, {8, 64, 4, 7, 256}}, {4, 256, 7}},
        {"abc,bc->acb", {{32, 20, 512}, {20, 512}}, {32, 512, 20}},
        {"ab,acb->bca", {{300, 24}, {300, 200, 24}}, {24, 200, 300}},
    };
    for (const call& c : calls) {
        CAPTURE(std::string(c.equation));
        std::vector<xt::xarray<float>> operands;
        operands.reserve(c.shapes.size());
        for (const shape& s : c.shapes) {
            operands.push_back(filled(s));
        }
        auto out = xt::xarray<float>::from_shape(c.result);
        const std::size_t before = example::bytes_in_use();
        example::restart_peak();
        xeinsum::einsum_to(c.equation, out, operands);
        const std::size_t extra = example::peak_bytes() - before;
        CHECK(extra <= std::size_t{2} << 20U);
        CHECK(example::bytes_in_use() == before);
    }
}

TEST_CASE("the peak that is counted is that of the program") {
    example::restart_peak();
    const std::size_t before = example::peak_bytes();
    const std::vector<char> block(std::size_t{3} << 20U);
    // Read, because clang leaves out memory that nobody reads.
    CHECK(std::count(block.begin(), block.end(), 0) == std::int64_t{3} << 20U);
    CHECK(example::peak_bytes() >= before + (std::size_t{3} << 20U));
}
