#include <xeinsum/plan/saved_plan.hpp>

#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using xeinsum::notation;
using xeinsum::planning::checksum;
using xeinsum::planning::exact_text;
using xeinsum::planning::saved_plan;

TEST_CASE("a saved plan is some lines of text") {
    const std::vector<std::pair<std::size_t, std::size_t>> pairs{{0, 1}, {2, 3}};
    const std::vector<xeinsum::sliced_label> slices{{1, 0}};
    const saved_plan plan{"float32",
                          {"ij,jk,kl->il",
                           notation::letters,
                           {xeinsum::row_major({4, 6}), {{6, 8}, {1, -7}}, {{8, 2}, {2, 1}}},
                           {.lowering = xeinsum::lowering::gemm,
                            .path = xeinsum::path_strategy::numbered_pairs,
                            .memory_limit = 1000,
                            .threads = 3,
                            .path_cost = {0.1, 1e-300, 2},
                            .path_restarts = 7,
                            .path_seconds = 0.25,
                            .path_pairs = pairs,
                            .slices = slices}},
                          {{{0, 1}, {2, 3}}, {{1, 6}, {2, 4}}, false}};
    CHECK(text_of(plan) ==
          "element float32\n"
          "notation letters\n"
          "equation \"ij,jk,kl->il\"\n"
          "operands 3\n"
          "operand [4, 6] [6, 1]\n"
          "operand [6, 8] [1, -7]\n"
          "operand [8, 2] [2, 1]\n"
          "lengths []\n"
          "lowering gemm\n"
          "path numbered_pairs\n"
          "memory_limit 1000\n"
          "threads 3\n"
          "path_cost 0.10000000000000001 1e-300 2\n"
          "path_restarts 7\n"
          "path_seconds 0.25\n"
          "path_pairs [[0, 1], [2, 3]]\n"
          "slices [[1, 0]]\n"
          "found_path [[0, 1], [2, 3]]\n"
          "found_slices [[1, 6], [2, 4]]\n");
}

TEST_CASE("numbers keep all digits") {
    CHECK(exact_text(0) == "0");
    CHECK(exact_text(1.0 / 3) == "0.33333333333333331");
    CHECK(exact_text(std::numeric_limits<double>::infinity()) == "inf");
    CHECK(exact_text(-std::numeric_limits<double>::infinity()) == "-inf");
    CHECK(exact_text(std::numeric_limits<double>::quiet_NaN()) == "nan");
}

TEST_CASE("a checksum differs for each character changed") {
    static_assert(checksum("") == 0xcbf29ce484222325U);
    static_assert(checksum("a") == 0xaf63dc4c8601ec8cU);  // of FNV-1a's authors
    const std::string text = "ij,jk,kl->il";
    for (std::size_t at = 0; at < text.size(); ++at) {
        for (int c = 0; c < 256; ++c) {
            std::string other = text;
            other[at] = static_cast<char>(c);
            CHECK((checksum(other) == checksum(text)) == (other == text));
        }
    }
}
