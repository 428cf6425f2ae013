#include <xeinsum/emit/write.hpp>

#include "../support/emitted.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <string_view>
#include <vector>

using xeinsum::emission::abilities;
using xeinsum::emission::node;
using xeinsum::emission::operation;
using xeinsum::emission::program;

namespace {

std::vector<operation> operations(const program& p) {
    std::vector<operation> all;
    for (const node& n : p.nodes) {
        all.push_back(n.what);
    }
    return all;
}

using list = std::vector<operation>;

}  // namespace

TEST_CASE("one operand is rearranged and summed, once") {
    CHECK(operations(support::emitted("ij->ij", {{2, 3}})).empty());
    CHECK(operations(support::emitted("ij->ji", {{2, 3}})) == list{operation::permute});
    CHECK(operations(support::emitted("ijkl->j", {{2, 3, 4, 5}})) == list{operation::sum});
    CHECK(operations(support::emitted("ijk->k", {{2, 1, 5}})) == list{operation::sum});
}

TEST_CASE("diagonals are taken, or strode through") {
    CHECK(operations(support::emitted("iji->ij", {{3, 2, 3}})) ==
          list{operation::diagonal, operation::permute});
    const program p = support::emitted("iii->i", {{3, 3, 3}}, "", {.diagonal = false});
    CHECK(operations(p) == list{operation::reshape, operation::stride});
    CHECK(p.nodes.back().numbers == std::vector<std::size_t>{13});
}

TEST_CASE("a chain keeps the plan's order") {
    const program p = support::emitted("ij,jk,kl->il", {{20, 30}, {30, 40}, {40, 2}});
    REQUIRE(operations(p) == list{operation::matmul, operation::matmul});
    CHECK(p.nodes.front().inputs == std::vector<std::size_t>{1, 2});
}

TEST_CASE("copies in another order are no operations of their own") {
    const auto check = [](std::string_view text, const std::vector<std::vector<std::int64_t>>& e) {
        CAPTURE(text);
        CHECK(operations(support::emitted(text, e)) ==
              operations(support::emitted(text, e, "", {}, xeinsum::lowering::gemm)));
    };
    check("deac,bca->deb", {{300, 20, 48, 7}, {10, 7, 48}});
    check("cafb,cfbed->ade", {{8, 4, 64, 4}, {8, 64, 4, 7, 256}});
    check("a,abc->cab", {{100}, {100, 8, 64}});
}

TEST_CASE("small products come first in a pass over many operands") {
    const program p = support::emitted("bld,bln,bld->bldn", {{1, 64, 32}, {1, 64, 16}, {1, 64, 32}},
                                       "", {}, xeinsum::lowering::broadcast_multiply_reduce);
    CHECK(p.nodes.front().what == operation::multiply);
    CHECK(p.nodes.front().inputs == std::vector<std::size_t>{0, 2});
}

TEST_CASE("without broadcasts shapes are equal and constants on the right") {
    abilities able{.broadcasts = false, .constants = {true, false}};
    const auto products = support::emitted("ij,jk->ik", {{20, 30}, {30, 40}}, "", able);
    REQUIRE(operations(products) ==
            list{operation::permute, operation::permute, operation::matmul, operation::permute});
    const node& product = products.at(products.at(products.result).inputs[0]);
    CHECK(products.at(product.inputs[0]).inputs[0] == 1);
    CHECK(operations(support::emitted("ij,kj->ki", {{20, 30}, {40, 30}}, "", able)) ==
          list{operation::permute, operation::matmul});

    // What is to follow a batched matmul of variables follows a reshape.
    able.constants = {false, false};
    CHECK(operations(support::emitted("bij,bjk->bik", {{2, 20, 30}, {2, 30, 40}}, "", able)) ==
          list{operation::matmul, operation::reshape});
    // A constant that constants make is one.
    able.constants = {false, true, true};
    const auto chain = support::emitted("ij,jk,kl->il", {{20, 30}, {30, 4}, {4, 50}}, "", able);
    REQUIRE(!chain.nodes.empty());
    CHECK(chain.at(chain.result).what == operation::matmul);
}

TEST_CASE("labels that one operand sums alone are summed before the pair") {
    CHECK(operations(support::emitted("ijx,jk->ik", {{20, 30, 4}, {30, 40}})) ==
          list{operation::sum, operation::matmul});
}

TEST_CASE("a product is stored only where a matmul would move more") {
    CHECK(operations(support::emitted("bi,bi->b", {{2000, 300}, {2000, 300}})).back() !=
          operation::sum);
    CHECK(operations(support::emitted("abc,abcd->cd", {{500, 7, 40}, {500, 7, 40, 32}})) ==
          list{operation::reshape, operation::multiply, operation::sum});
}

TEST_CASE("depthwise steps become convolutions where the target has them") {
    const auto force = xeinsum::lowering::depthwise_convolution;
    const std::vector<std::vector<std::int64_t>> shapes{{2, 3, 4, 5}, {3, 4, 5}};
    const auto with = operations(support::emitted("bchw,chw->bc", shapes, "", {}, force));
    CHECK(std::count(with.begin(), with.end(), operation::convolution) == 1);
    const auto without =
        operations(support::emitted("bchw,chw->bc", shapes, "", {.convolution = false}, force));
    CHECK(std::count(without.begin(), without.end(), operation::convolution) == 0);
}

TEST_CASE("an extent of 0 leaves zeros") {
    CHECK(operations(support::emitted("ij,jk->ik", {{2, 0}, {0, 3}})) == list{operation::zeros});
}
