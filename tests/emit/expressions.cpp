#include <xeinsum/emit/expressions.hpp>

#include <xeinsum/emit/numpy.hpp>

#include "../support/emitted.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace xeinsum::emission;

TEST_CASE("bytes have a unit that fits") {
    CHECK(bytes_text(12) == "12 bytes");
    CHECK(bytes_text(98304) == "96 KiB");
    CHECK(bytes_text(1.5 * 1024 * 1024) == "1.5 MiB");
}

TEST_CASE("lists have commas between their parts") {
    CHECK(listed(std::vector{1, 2, 3}) == "1, 2, 3");
    CHECK(listed(std::vector<int>{}).empty());
}

namespace {

std::string body(std::string_view text, const std::vector<std::vector<std::int64_t>>& extents,
                 std::string_view dynamic = "") {
    // Which lowering is chosen must not matter: NumPy has no convolution.
    const auto type = element_of<float>();
    const program p = support::emitted(text, extents, dynamic, numpy_words::able(type));
    return expression_writer<numpy_words>(p, type).body();
}

}  // namespace

TEST_CASE("a chain has a statement for each pair but the last") {
    CHECK(body("ij,jk,kl->il", {{20, 30}, {30, 40}, {40, 2}}) ==
          "    b = b @ c\n"
          "    return a @ b\n");
}

TEST_CASE("an operator is put in parentheses before a method") {
    CHECK(body("ij,jk->ki", {{50, 3}, {3, 2}}) == "    return (a @ b).transpose(1, 0)\n");
    CHECK(body("bi,bij->bj", {{8, 30}, {8, 30, 40}}) ==
          "    return (a.reshape(8, 1, 30) @ b).reshape(8, 40)\n");
}

TEST_CASE("one unknown extent is left to the library, several are read from operands") {
    CHECK(body("nij,jk->ik", {{4, 20, 30}, {30, 40}}, "i") == "    return a.sum(0) @ b\n");
    CHECK(body("nij->n", {{4, 20, 30}}, "i") == "    return a.sum((1, 2))\n");
    CHECK(body("nij,n->nij", {{4, 20, 30}, {4}}, "n") == "    return a * b.reshape(-1, 1, 1)\n");
    CHECK(body("nc,mc->nmc", {{4, 20}, {5, 20}}, "nc") ==
          "    extent_n = a.shape[0]\n"
          "    extent_c = a.shape[1]\n"
          "    return a.reshape(extent_n, 1, extent_c) * b\n");
}
