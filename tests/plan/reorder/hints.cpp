#include <xeinsum/plan/reorder/hints.hpp>

#include "../../support/table_of.hpp"
#include "../../support/targets.hpp"

#include <xeinsum/equation/equation.hpp>
#include <xeinsum/equation/network.hpp>
#include <xeinsum/equation/parser.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <string_view>
#include <vector>

using support::avx2;
using support::built_table;
using xeinsum::planning::may_need_copies;
using xeinsum::planning::may_reorder;

namespace {

bool hints(std::string_view text, const support::operand_shapes& operands,
           const xeinsum::planning::target& on = avx2) {
    built_table t(text, operands);
    return may_reorder(t.get(), on);
}

/// Whether the labels alone leave it open.
bool leaves_open(std::string_view text, const std::vector<std::size_t>& ranks) {
    const auto net = xeinsum::resolve<xeinsum::heap_storage>(xeinsum::parse(text), ranks);
    return may_need_copies(net.view());
}

}  // namespace

TEST_CASE("labels alone tell that products whose labels keep their order need no copies") {
    CHECK_FALSE(leaves_open("ij,jk->ik", {2, 2}));
    CHECK_FALSE(leaves_open("jk,ij->ik", {2, 2}));
    CHECK_FALSE(leaves_open("ij,kj->ik", {2, 2}));
    CHECK_FALSE(leaves_open("ij,j->i", {2, 1}));
    CHECK_FALSE(leaves_open("i,i->", {1, 1}));
    CHECK_FALSE(leaves_open("iij,jk->ik", {3, 2}));
    CHECK(leaves_open("ij,jk->ki", {2, 2}));  // along i, and the second operand along k
    CHECK(leaves_open("ji,jk->ik", {2, 2}));
    CHECK_FALSE(leaves_open("bij,bjk->bik", {3, 3}));
    CHECK_FALSE(leaves_open("bhij,bhkj->bhik", {4, 4}));
    CHECK_FALSE(leaves_open("hij,jk->hik", {3, 2}));
    CHECK_FALSE(leaves_open("ij,jkl->ikl", {2, 3}));
    CHECK(leaves_open("bhij,hbjk->bhik", {4, 4}));
    CHECK(leaves_open("bihj,bhjk->bhik", {4, 4}));
    CHECK(leaves_open("hij,jk->ihk", {3, 2}));
    CHECK(leaves_open("bij,bjk->ikb", {3, 3}));  // along batches
    CHECK_FALSE(leaves_open("ijb,jkb->ikb", {3, 3}));
    CHECK(leaves_open("nctw,cd->ndtw", {4, 2}));  // along w, and the second operand along d
    CHECK(leaves_open("ij,jkl->ik", {2, 3}));     // l is summed first
    CHECK(leaves_open("ijl,jlk->ik", {3, 3}));
    CHECK_FALSE(leaves_open("bij,bj->bi", {3, 2}));
    CHECK_FALSE(leaves_open("bj,bji->bi", {2, 3}));
    CHECK(leaves_open("cb,bca->ab", {2, 3}));  // no matrix product packs what lies across
    CHECK(leaves_open("ba,ab->a", {2, 2}));
    CHECK(leaves_open("ab,acb->bc", {2, 3}));
    CHECK(leaves_open("i,j->ij", {1, 1}));
    CHECK(leaves_open("ij->ji", {2}));
    CHECK(leaves_open("ij,jk,kl->il", {2, 2, 2}));
}

TEST_CASE("labels alone tell that sums of one operand keep its order") {
    CHECK_FALSE(leaves_open("ij->i", {2}));
    CHECK_FALSE(leaves_open("ijkl->jl", {4}));
    CHECK_FALSE(leaves_open("ij->", {2}));
    CHECK(leaves_open("ijk->ki", {3}));
    CHECK(leaves_open("ijk->ikj", {3}));
}

TEST_CASE("loops that are one in a large array and not in a small one") {
    CHECK(hints("deac,bca->deb", {{30, 20, 48, 7}, {10, 7, 48}}));
    CHECK(hints("cafb,cfbed->ade", {{8, 4, 64, 4}, {8, 64, 4, 7, 25}}));
    CHECK(hints("ecda,edbca->b", {{10, 4, 6, 8}, {10, 6, 200, 4, 8}}));
    // the order of the small one is that of the large one
    CHECK_FALSE(hints("deac,bac->deb", {{30, 20, 48, 7}, {10, 48, 7}}));
    // both are small, but neither leads to longer loops
    CHECK_FALSE(hints("nkctv,kvw->nctw", {{8, 3, 16, 30, 25}, {3, 25, 24}}));
    CHECK_FALSE(hints("bqhd,bkhd->bhqk", {{2, 50, 12, 64}, {2, 50, 12, 64}}));
    // batches are no loops of a product
    CHECK_FALSE(hints("bhnm,bdhm->bdhn", {{8, 8, 16, 64}, {8, 16, 8, 64}}));
}

TEST_CASE("products that no loop runs through in vectors") {
    CHECK(hints("ca,ab->abc", {{48, 32}, {32, 48}}));
    CHECK(hints("abc,bc->acb", {{32, 20, 512}, {20, 512}}));
    CHECK(hints("bc,cbad->adb", {{24, 100}, {100, 24, 25, 8}}));
    CHECK_FALSE(hints("bld,dn->bldn", {{2, 16, 48}, {48, 16}}));
    CHECK_FALSE(hints("ij,j->i", {{400, 500}, {500}}));
}

TEST_CASE("a small output along batches that no input lies along") {
    CHECK(hints("beca,ebd->dcab", {{16, 25, 12, 25}, {25, 16, 48}}));
    CHECK_FALSE(hints("beca,ebd->bdca", {{16, 25, 12, 25}, {25, 16, 48}}));
    CHECK_FALSE(hints("ijb,jkb->ikb", {{20, 30, 70}, {30, 25, 70}}));
}

TEST_CASE("a small output along a short side, if the large input lies along the other") {
    CHECK(hints("cbd,ac->bda", {{512, 30, 33}, {6, 512}}));
    CHECK_FALSE(hints("cbd,ac->bda", {{512, 30, 33}, {17, 512}}));
    CHECK_FALSE(hints("bdc,ac->bda", {{30, 33, 512}, {6, 512}}));
    CHECK_FALSE(hints("cbd,ac->abd", {{512, 30, 33}, {6, 512}}));
}

TEST_CASE("what takes little time has no hints, nor has a matrix product of large arrays") {
    CHECK_FALSE(hints("ca,ab->abc", {{8, 12}, {12, 18}}));
    CHECK_FALSE(hints("deac,bca->deb", {{3, 2, 8, 7}, {10, 7, 8}}));
    CHECK_FALSE(hints("ij,ji->ij", {{100, 200}, {200, 100}}));
    CHECK(hints("cda,ad->acd", {{45, 120, 3}, {3, 120}}));  // the first one is gathered
    CHECK_FALSE(hints("cda,ad->acd", {{45, 100, 3}, {3, 100}}));
    CHECK_FALSE(hints("cda,ad->acd", {{15, 120, 9}, {9, 120}}));
    CHECK(hints("ij,ji->ij", {{300, 400}, {400, 300}}));
    CHECK(hints("ij,ji->ij", {{800, 900}, {900, 800}}));
    CHECK(hints("deac,bca->deb", {{3, 20, 4800, 7}, {10, 7, 4800}}));
    CHECK_FALSE(hints("deac,bca->deb", {{3, 20, 4800, 7}, {20, 7, 4800}}));
    xeinsum::planning::target scalar = avx2;
    scalar.lanes = 1;
    CHECK_FALSE(hints("ca,ab->abc", {{48, 32}, {32, 48}}, scalar));
    xeinsum::planning::target patient = avx2;
    patient.core.reorder_seconds = 1;
    CHECK_FALSE(hints("ca,ab->abc", {{48, 32}, {32, 48}}, patient));
}
