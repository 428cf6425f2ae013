#include <xeinsum/lowering/nest/matrix_vector.hpp>

#include "../../support/table_of.hpp"

#include <doctest/doctest.h>

#include <string_view>

using support::built_table;
using support::vectors_of_8;
using xeinsum::kernel::vector_loop;

TEST_CASE("a matrix times a vector runs along the loop in which the matrix lies") {
    const auto along = [](std::string_view text, const support::operand_shapes& shapes,
                          const xeinsum::planning::target& on = vectors_of_8) {
        built_table t(text, shapes);
        return xeinsum::lowerings::matrix_vector_loop(t.get(), on);
    };
    CHECK(along("ij,j->i", {{40, 50}, {50}}) == vector_loop::contracted);
    CHECK(along("j,ij->i", {{50}, {40, 50}}) == vector_loop::contracted);
    CHECK(along("i,i->", {{50}, {50}}) == vector_loop::contracted);
    CHECK(along("i,ij->j", {{40}, {40, 50}}) == vector_loop::output);
    CHECK(along("ij,i->j", {{40, 50}, {40}}) == vector_loop::output);
    // Complex numbers, and types without vectors, have other kernels; so have other loops.
    CHECK(along("ij,j->i", {{40, 50}, {50}}, {.lanes = 1}) == vector_loop::none);
    CHECK(along("ij,j->i", {{40, 50}, {50}}, {.lanes = 8, .flop_weight = 4}) == vector_loop::none);
    CHECK(along("ij,jk->ik", {{40, 50}, {50, 30}}) == vector_loop::none);
    CHECK(along("i,j->ij", {{40}, {50}}) == vector_loop::none);
    CHECK(along("ij,k->i", {{40, 50}, {30}}) == vector_loop::none);
    CHECK(along("bij,bj->bi", {{3, 40, 50}, {3, 50}}) == vector_loop::none);
}

TEST_CASE("its prediction grows with the matrix") {
    const auto seconds = [](const support::operand_shapes& shapes) {
        built_table t("ij,j->i", shapes);
        return xeinsum::lowerings::matrix_vector_seconds(t.get(), vector_loop::contracted,
                                                         vectors_of_8);
    };
    CHECK(seconds({{400, 500}, {500}}) < seconds({{800, 500}, {500}}));
    CHECK(seconds({{400, 500}, {500}}) < seconds({{400, 1000}, {1000}}));
}

TEST_CASE("few products of few terms are added one after the other") {
    const auto few = [](const support::operand_shapes& shapes) {
        built_table t("ij,j->i", shapes);
        return xeinsum::lowerings::is_few(t.get());
    };
    CHECK(few({{8, 32}, {32}}));
    CHECK_FALSE(few({{9, 32}, {32}}));
    CHECK_FALSE(few({{4, 33}, {33}}));
}
