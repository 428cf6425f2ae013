#include <xeinsum/lowering/nest/choose_nest.hpp>

#include "../../support/table_of.hpp"

#include <doctest/doctest.h>

#include <cstddef>

using support::built_table;
using support::vectors_of_8;
using xeinsum::lowerings::choose_nest;
using xeinsum::lowerings::nest_scratch_bytes;
using xeinsum::lowerings::nest_seconds;

TEST_CASE("prediction grows with the work and shrinks with vectors") {
    built_table small("ij,j->i", {{20, 64}, {64}});
    built_table large("ij,j->i", {{40, 64}, {64}});
    built_table gathered("ji,j->i", {{64, 21}, {64}});
    CHECK(nest_seconds(large.get(), vectors_of_8) > nest_seconds(small.get(), vectors_of_8));
    CHECK(nest_seconds(small.get(), {.lanes = 1}) > nest_seconds(small.get(), vectors_of_8));
    CHECK(nest_seconds(gathered.get(), vectors_of_8) > 0);
}

TEST_CASE("vectors that a loop hardly fills give way to scalars") {
    built_table few_lines("abc,ac->ab", {{50, 3, 2}, {50, 2}});
    CHECK(choose_nest(few_lines.get(), vectors_of_8).vectors.kind ==
          xeinsum::kernel::vector_loop::none);
    built_table short_lines("abc,ac->ab", {{50, 60, 2}, {50, 2}});
    CHECK(choose_nest(short_lines.get(), vectors_of_8).vectors.kind ==
          xeinsum::kernel::vector_loop::contracted);
    built_table long_lines("abc,ac->ab", {{50, 60, 90}, {50, 90}});
    CHECK(choose_nest(long_lines.get(), vectors_of_8).vectors.kind ==
          xeinsum::kernel::vector_loop::contracted);
}

TEST_CASE("what is built is what was predicted to be fastest") {
    const struct {
        const char* text;
        support::operand_shapes shapes;
    } nests[]{{"ij,j->i", {{20, 64}, {64}}},
              {"abc,ac->ab", {{50, 60, 2}, {50, 2}}},
              {"abc,ac->ab", {{50, 60, 9}, {50, 9}}},
              {"abc,ac->ab", {{50, 60, 15}, {50, 15}}},
              {"ij,ji->", {{200, 300}, {300, 200}}},
              {"ij,ji->ij", {{200, 300}, {300, 200}}},
              {"ij->ji", {{20, 30}}},
              {"ij->ij", {{20, 3}}},
              {"i,i,i,i,i->", {{3}, {3}, {3}, {3}, {3}}},
              {"ij,ik->ijk", {{30, 40}, {30, 50}}}};
    for (const auto& nest : nests) {
        CAPTURE(nest.text);
        built_table t(nest.text, nest.shapes);
        const auto predicted = choose_nest(t.get(), vectors_of_8);
        const auto built = xeinsum::lowerings::choose_nest_to_build(t.get(), vectors_of_8);
        CHECK(built.vectors.kind == predicted.vectors.kind);
        CHECK(built.vectors.row == predicted.vectors.row);
        CHECK(built.transposed == predicted.transposed);
    }
}

TEST_CASE("inputs are transposed from some hundred iterations on, in scratch of their size") {
    const auto transposes = [](const support::operand_shapes& shapes) {
        built_table t("a,ab->ba", shapes);
        return choose_nest(t.get(), vectors_of_8).transposed;
    };
    CHECK(transposes({{16}, {16, 33}}));
    CHECK_FALSE(transposes({{15}, {15, 33}}));
    // 528 floats end within a cache line, of which a tile takes whole ones.
    built_table small("a,ab->ba", {{16}, {16, 33}});
    CHECK(nest_scratch_bytes(small.get(), vectors_of_8) == 2 * 528 * sizeof(float));
    built_table odd("a,ab->ba", {{17}, {17, 33}});
    CHECK(nest_scratch_bytes(odd.get(), vectors_of_8) == 2 * 576 * sizeof(float));
    built_table large("a,ab->ba", {{170}, {170, 330}});
    CHECK(nest_scratch_bytes(large.get(), vectors_of_8) == 2 * 16384 * sizeof(float));
}
