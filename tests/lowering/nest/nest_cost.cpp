#include <xeinsum/lowering/nest/nest_cost.hpp>

#include "../../support/table_of.hpp"

#include <doctest/doctest.h>

using support::built_table;
using support::operand_shapes;
using xeinsum::kernel::choose_vector_loop;
using xeinsum::lowerings::arrangement_of;
using xeinsum::lowerings::scalar_nest_cycles;
using xeinsum::lowerings::scalar_rows_of;
using xeinsum::lowerings::vector_nest_cycles;

namespace {

constexpr xeinsum::planning::target vectors_of_8{.core = {.loads_per_cycle = 2,
                                                          .near_line_cycles = 3,
                                                          .line_cycles = 10,
                                                          .term_line_cycles = 5,
                                                          .lane_sum_cycles = 6,
                                                          .lone_sum_cycles = 18,
                                                          .gather_cycles = 3,
                                                          .input_cycles = 2,
                                                          .scalar_cycles = 1,
                                                          .scalar_result_cycles = 7},
                                                 .lanes = 8};

double in_vectors(const char* equation, const operand_shapes& operands) {
    built_table t(equation, operands);
    return vector_nest_cycles(t.get(), choose_vector_loop(arrangement_of(t.get()), 8),
                              vectors_of_8);
}
double in_scalars(const char* equation, const operand_shapes& operands) {
    return scalar_nest_cycles(built_table(equation, operands).get(), vectors_of_8);
}

}  // namespace

TEST_CASE("lines cost their start and their registers") {
    // three registers, each loaded and stored
    CHECK(in_vectors("ij,i->ij", {{20, 24}, {20}}) == 20 * (3 * 1 + 5));
    // two loads for each multiply-add; rows that stand alone, and one that is multiplied at the end
    CHECK(in_vectors("ij,ij->i", {{20, 40}, {20, 40}}) == 20 * (5 * 1 + 6));
    CHECK(in_vectors("ij,ij->i", {{3, 24}, {3, 24}}) == 3 * (3 * 1 + 18));
    CHECK(in_vectors("ij,i->i", {{20, 24}, {20}}) == 20 * (3 * 1 + 9));
    // lanes are added up behind the last of four lines
    CHECK(in_vectors("iaj,iaj->i", {{20, 4, 25}, {20, 4, 25}}) == 20 * (13 * 1 + 6));
    CHECK(in_vectors("iaj,ija->i", {{20, 4, 25}, {20, 25, 4}}) > 80 * (4 * 1 + 3));
    // where a loop is around them, all rows begin anew for each of its terms
    CHECK(in_vectors("aij->i", {{5, 12, 9}}) == doctest::Approx(60 * (2 * 1 + 1.5) + 5 * 45));
    CHECK(in_vectors("aij->i", {{5, 12, 16}}) == doctest::Approx(60 * (2 * 1 + 1.5) + 5 * 45));
    CHECK(in_vectors("aij->i", {{5, 12, 40}}) == doctest::Approx(60 * (5 * 1 + 3) + 5 * 45));
    // one of two lines is loaded for eight rows
    CHECK(in_vectors("bij,bj->bi", {{7, 5, 96}, {7, 96}}) == 35 * (12 * 1 + 6));
}

TEST_CASE("lines of up to four registers are cheaper to begin, as many as lanes") {
    CHECK(in_vectors("ij,ij->i", {{20, 32}, {20, 32}}) == 20 * (4 * 1 + 3));
    CHECK(in_vectors("ij,ij->i", {{20, 24}, {20, 24}}) == 20 * (3 * 1 + 3));
    CHECK(in_vectors("ij,ij->i", {{20, 16}, {20, 16}}) == 20 * (2 * 1 + 3));
    CHECK(in_vectors("ij,ij->i", {{20, 15}, {20, 15}}) == 20 * (2 * 1 + 3));
    CHECK(in_vectors("ij,ij->i", {{7, 16}, {7, 16}}) == 7 * (2 * 1 + 6));
    CHECK(in_vectors("ij,ij->i", {{7, 15}, {7, 15}}) == 7 * (2 * 1 + 6));
    CHECK(in_vectors("ij,ij->i", {{3, 15}, {3, 15}}) == 3 * (2 * 1 + 18));
}

TEST_CASE("several short lines that follow each other are one register") {
    // Each is loaded, and the panel loaded and stored; then results are put together. Rows begin
    // anew for each term of another loop.
    CHECK(in_vectors("ij->i", {{40, 4}}) == doctest::Approx(20 * 1.5 + 40 + 45));
    CHECK(in_vectors("aij->i", {{5, 40, 4}}) == doctest::Approx(100 * 1.5 + 40 + 5 * 45));
    CHECK(in_vectors("ij,ij->i", {{40, 2}, {40, 2}}) == doctest::Approx(10 * 2 + 40 + 45));
    CHECK(in_vectors("ij->i", {{40, 3}}) == doctest::Approx(15 * 1.5 + 40 + 45));
    // Neither fewer rows than lanes nor lines that are no group of lanes.
    CHECK(in_vectors("ij->i", {{7, 4}}) > 7 * 6);
    CHECK(in_vectors("ij->i", {{40, 5}}) == 40 * (1 + 3));
}

TEST_CASE("terms go to a panel of results eight at a time") {
    // 19 terms: passes of 8, 8 and 3; results are read from the panel and written
    CHECK(in_vectors("i,ij->j", {{19}, {19, 40}}) ==
          doctest::Approx(19 * (5 * 1 + 5) + 3 * 10 + 10 + 5));
    // a part of a register is masked in every term
    CHECK(in_vectors("ib,bj->ij", {{5, 19}, {19, 7}}) ==
          doctest::Approx(in_vectors("ib,bj->ij", {{5, 19}, {19, 8}}) + 5 * 19 * 5));
}

TEST_CASE("sums that stay in registers pay for their rows alone") {
    CHECK(in_vectors("i,ij->j", {{19}, {19, 24}}) == doctest::Approx(19 * (3 * 1 + 0.5) + 10));
    CHECK(in_vectors("aij->aj", {{7, 12, 20}}) == doctest::Approx(7 * (12 * 3 * 1 + 10)));
    // lines of five registers; rows that lie inside many terms; two loops of terms
    for (const double panel : {in_vectors("ij->j", {{129, 40}}) - 129 * 5 - 10,
                               in_vectors("iaj,ia->aj", {{33, 5, 24}, {33, 5}}) - 33 * 5 * 3 - 50,
                               in_vectors("iaj,ai->j", {{6, 5, 24}, {5, 6}}) - 6 * 5 * 3 - 10}) {
        CHECK(panel > 100);
    }
}

TEST_CASE("terms that push each other out of the first cache are read again from the next one") {
    // eight terms of 1000 floats, 32000 bytes, and of 1048; lines of 64 bytes are two registers
    const double near = 5 * 8 * 125 * 1.0 + 5 * 8 * 5 + 5 * 10 + 5 * (10 + 125);
    CHECK(in_vectors("ib,bj->ij", {{5, 8}, {8, 1000}}) == doctest::Approx(near));
    const double waits = 5 * 8 * 131 * (1 + 3 * 0.5) + 5 * 8 * 5 + 5 * 10 + 5 * (10 + 131);
    CHECK(in_vectors("ib,bj->ij", {{5, 8}, {8, 1048}}) == doctest::Approx(waits));
    // each term is read once
    CHECK(in_vectors("ib,ibj->ij", {{5, 8}, {5, 8, 1048}}) ==
          doctest::Approx(waits - 5 * 8 * 131 * 1.5));
}

TEST_CASE("inputs that kernels count through cost more") {
    const double two = in_vectors("ij,ij->ij", {{20, 25}, {20, 25}});
    const double three = in_vectors("ij,ij,ij->ij", {{20, 25}, {20, 25}, {20, 25}});
    CHECK(three < two + 500 / 8 * 3);
    const double four = in_vectors("ij,ij,ij,ij->ij", {{20, 25}, {20, 25}, {20, 25}, {20, 25}});
    CHECK(four > three + 500 / 8 * 4);
    const double lines = in_vectors("ij,ij,ij->i", {{20, 25}, {20, 25}, {20, 25}});
    const double counted = in_vectors("ij,ij,ij,ij->i", {{20, 25}, {20, 25}, {20, 25}, {20, 25}});
    CHECK(counted > lines + 500 / 8 * 4 * 2);
    const double gathered = in_vectors("ij,ji->ij", {{20, 25}, {25, 20}});
    CHECK(gathered > two + 500 * 3);
}

TEST_CASE("rows that do not fill four wait for each addition") {
    CHECK(scalar_rows_of(arrangement_of(built_table("ji->i", {{5, 8}}).get())) == 8);
    CHECK(in_scalars("ji->i", {{5, 8}}) == doctest::Approx(40 * 0.5 + 2 * 8));
    CHECK(in_scalars("ji->i", {{5, 6}}) == doctest::Approx(20 * 0.5 + 10 * 1.5 + 2 * 6));
    CHECK(in_scalars("ji->i", {{5, 3}}) == doctest::Approx(15 * 1.5 + 2 * 3));
}

TEST_CASE("a nest without sums pays for its results") {
    CHECK(in_scalars("i,j->ij", {{5}, {6}}) == 30 * 7);
}
