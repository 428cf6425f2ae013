#include <xeinsum/lowering/depthwise/decide.hpp>
#include <xeinsum/lowering/nest/build_nest.hpp>

#include "../../support/table_of.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <utility>

using depthwise = xeinsum::lowerings::depthwise_convolution;
using support::built_table;
using support::vectors_of_8;

namespace {

std::string described(const char* text, const support::operand_shapes& shapes) {
    built_table t(text, shapes);
    const auto how = depthwise::build(t.get(), vectors_of_8);
    return depthwise::describe(how, {t.get().row(0), t.get().pitch(), t.get().size()});
}

std::string refused(const char* text, const support::operand_shapes& shapes) {
    built_table t(text, shapes);
    const char* reason = depthwise::refusal(t.get());
    return reason == nullptr ? "" : reason;
}

}  // namespace

TEST_CASE("groups, positions and window are batch, free and contracted labels") {
    CHECK(described("bchw,bchw->bc", {{2, 3, 40, 50}, {2, 3, 40, 50}}) ==
          "groups 6, positions 1, window 2000, vectors along the window");
    CHECK(described("zabcde,zabcdef->zcdef", {{1, 5, 7, 4, 3, 8}, {1, 5, 7, 4, 3, 8, 32}}) ==
          "groups 96, positions 32, window 35, vectors along positions, weights are the first "
          "operand");
    CHECK(described("bhwc,bhwc->bc", {{2, 5, 6, 30}, {2, 5, 6, 30}}) ==
          "groups 60, positions 1, window 30, vectors along groups");
    CHECK(described("ij,j->i", {{20, 30}, {30}}) ==
          "groups 1, positions 20, window 30, vectors along the window");
    CHECK(described("ji,j->i", {{30, 20}, {30}}) ==
          "groups 1, positions 20, window 30, vectors along positions");
}

TEST_CASE("without groups or a window it never wins, nor where that is a line") {
    const auto never = [](const char* text, const support::operand_shapes& shapes) {
        built_table t(text, shapes);
        return depthwise::never_wins(t.get());
    };
    CHECK(never("bld,dn->bldn", {{2, 16, 48}, {48, 16}}));
    CHECK(never("bc,bcp->bcp", {{5, 12}, {5, 12, 96}}));
    CHECK_FALSE(never("bjc,bjcp->bcp", {{5, 7, 12}, {5, 7, 12, 96}}));
    // nor where the window is one line
    CHECK(never("ij,j->i", {{20, 30}, {30}}));
    CHECK(never("bij,bj->bi", {{5, 20, 16}, {5, 16}}));
    CHECK_FALSE(never("bij,bj->bi", {{5, 20, 15}, {5, 15}}));
    // nor without groups
    CHECK(never("ij,j->i", {{20, 15}, {15}}));
    CHECK(never("ji,j->i", {{30, 20}, {30}}));
    CHECK(never("ab,acdb->dc", {{6, 30}, {6, 5, 7, 30}}));
    // nor where no loop lies side by side in both, and taps lie far apart in both
    CHECK(never("ecad,edac->ad", {{9, 3, 40, 52}, {9, 52, 40, 3}}));
    CHECK_FALSE(never("ecad,edac->ad", {{9, 3, 3, 52}, {9, 52, 3, 3}}));
    CHECK_FALSE(never("ecad,daec->ad", {{9, 3, 40, 52}, {52, 40, 9, 3}}));
    CHECK_FALSE(never("ecad,ecad->ad", {{9, 3, 40, 52}, {9, 3, 40, 52}}));
    // as a nest is predicted to be at least as fast
    for (const std::int64_t extent : {16, 40, 300}) {
        built_table t("bij,bj->bi", {{5, 7, extent}, {5, extent}});
        CHECK(depthwise::seconds(t.get(), vectors_of_8) >=
              xeinsum::lowerings::nest_seconds(t.get(), vectors_of_8));
    }
    for (const std::int64_t extent : {9, 40, 300}) {
        built_table t("ecad,edac->ad", {{9, 3, extent, 52}, {9, 52, extent, 3}});
        CHECK(depthwise::seconds(t.get(), vectors_of_8) >=
              xeinsum::lowerings::nest_seconds(t.get(), vectors_of_8));
    }
    for (const std::int64_t extent : {3, 9, 40, 300}) {
        built_table t("bc,bcp->bcp", {{5, extent}, {5, extent, 96}});
        CHECK(depthwise::seconds(t.get(), vectors_of_8) >=
              xeinsum::lowerings::nest_seconds(t.get(), vectors_of_8));
    }
}

TEST_CASE("nothing side by side, scalar loops") {
    CHECK(described("kij,jki->i", {{4, 5, 6}, {6, 4, 5}}).find("scalar") != std::string::npos);
}

TEST_CASE("it says why it does not apply") {
    CHECK(refused("ij,jk->ik", {{4, 5}, {5, 6}}) ==
          "both operands have free labels; positions may be in one only");
    CHECK(refused("ij->i", {{4, 5}}) == "a convolution has two operands, data and weights");
    CHECK(refused("ij,j->", {{4, 5}, {5}}).find("only one operand has") != std::string::npos);
    CHECK(refused("bdn,bn->bd", {{4, 5, 6}, {4, 6}}).empty());
}

TEST_CASE("a prediction ends where another is less") {
    for (const auto& [text, shapes] :
         {std::pair<const char*, support::operand_shapes>{"ij,j->i", {{300, 500}, {500}}},
          {"bdn,bn->bd", {{4, 50, 60}, {4, 60}}},
          {"ji,j->i", {{900, 700}, {900}}}}) {
        built_table t(text, shapes);
        const double seconds = depthwise::seconds(t.get(), vectors_of_8);
        for (const double part : {0.1, 0.5, 0.9, 1.0, 1.1, 2.0}) {
            const double within = depthwise::seconds_within(t.get(), vectors_of_8, part * seconds);
            CHECK(within <= seconds);
            CHECK((part > 1 ? within == seconds : within >= part * seconds));
        }
    }
    built_table t("ij,j->i", {{300, 500}, {500}});
    CHECK(depthwise::seconds_within(t.get(), vectors_of_8, 1e-9) <
          depthwise::seconds(t.get(), vectors_of_8));
}

TEST_CASE("four registers of results are summed at once, others wait") {
    constexpr xeinsum::planning::target on{.core = {.hertz = 1e9,
                                                    .loads_per_cycle = 10,
                                                    .window_line_cycles = 3,
                                                    .window_cycles = 10,
                                                    .window_sum_cycles = 5,
                                                    .sum_cycles = 4,
                                                    .step_seconds = 0},
                                           .lanes = 8};
    const auto cycles = [&](const char* text, const support::operand_shapes& shapes) {
        return depthwise::seconds(built_table(text, shapes).get(), on) * 1e9;
    };
    // 40 positions: four registers at once, and one
    CHECK(cycles("ckp,ck->cp", {{3, 9, 40}, {3, 9}}) ==
          doctest::Approx(3 * (9 * 4 + 10 + 9 * 4 + 10)));
    // two registers of groups and a part; five positions: four at once, and one
    CHECK(cycles("pkc,kc->pc", {{5, 9, 20}, {9, 20}}) == doctest::Approx(4.5 * 2 * (9 * 4 + 10)));
    // windows of two registers and a part
    CHECK(cycles("pk,k->p", {{5, 20}, {20}}) ==
          doctest::Approx(4.5 * 4 + 3 + 10 + 4 * 5 + 4.5 * 4 + 3 + 10 + 5));
    // without a window nothing hides the beginning of four registers
    CHECK(cycles("cp,c->cp", {{3, 40}, {3}}) == doctest::Approx(3 * (4 + 4 * 10 + 4 + 10)));
}

TEST_CASE("windows of four positions come from memory more slowly than a stream") {
    constexpr xeinsum::planning::target on{
        .core = {.hertz = 1e15, .bytes_per_second = 1e9, .step_seconds = 0}, .element_bytes = 4};
    const auto seconds = [&](std::int64_t positions, std::int64_t window) {
        return depthwise::seconds(built_table("pk,k->p", {{positions, window}, {window}}).get(),
                                  on);
    };
    constexpr double bytes = 4.0 * (100000 * 1000 + 1000 + 100000);
    CHECK(seconds(100000, 1000) == doctest::Approx(1.5e-9 * bytes).epsilon(1e-3));
    CHECK(seconds(1000, 100000) == doctest::Approx(1.1e-9 * bytes).epsilon(1e-3));
    // three are read one after the other
    CHECK(seconds(3, 100000000) == doctest::Approx(4e-9 * (1e8 * 3 + 1e8)).epsilon(1e-3));
}
