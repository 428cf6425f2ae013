#include <xeinsum/lowering/nest/decide.hpp>

#include "../../support/table_of.hpp"

#include <doctest/doctest.h>

using bmr = xeinsum::lowerings::broadcast_multiply_reduce;
using support::built_table;
using support::vectors_of_8;
using xeinsum::recipe;

namespace {

std::string described(built_table& t) {
    const auto how = bmr::build(t.get(), vectors_of_8);
    return bmr::describe(how, {t.get().row(0), t.get().pitch(), t.get().size()});
}

}  // namespace

TEST_CASE("it expresses every step") {
    for (const auto* text : {"ij->ji", "ij->", "ij,jk->ik", "ij,kl->", "i,i->i"}) {
        const bool two = std::string(text).find(',') != std::string::npos;
        const bool one_axis = std::string(text) == "i,i->i";
        built_table t(text, two ? std::vector<std::vector<std::int64_t>>(
                                      2, one_axis ? std::vector<std::int64_t>{3}
                                                  : std::vector<std::int64_t>{3, 3})
                                : std::vector<std::vector<std::int64_t>>{{3, 4}});
        CHECK(bmr::refusal(t.get()) == nullptr);
        CHECK(bmr::seconds(t.get(), vectors_of_8) > 0);
    }
}

TEST_CASE("without sums, with one input or with one mode there is nothing to choose") {
    const auto obvious = [](const char* text, const support::operand_shapes& shapes) {
        built_table t(text, shapes);
        const bool sure = bmr::obvious(t.get(), vectors_of_8);
        recipe how;
        CHECK(bmr::build_obvious(t.get(), vectors_of_8, how) == sure);
        return sure;
    };
    CHECK(obvious("ij->j", {{100, 90}}));
    CHECK(obvious("i,i->", {{1000}, {1000}}));
    CHECK(obvious("ij,i->ij", {{40, 50}, {40}}));
    CHECK(obvious("ij,j->i", {{400, 500}, {500}}));
    CHECK_FALSE(obvious("bij,bj->bi", {{9, 40, 50}, {9, 50}}));
    CHECK_FALSE(obvious("i,i,i->", {{1000}, {1000}, {1000}}));
    // inputs may be transposed, which takes scratch
    CHECK_FALSE(obvious("ij,ji->ij", {{90, 100}, {100, 90}}));
    // worth a second thread
    CHECK_FALSE(obvious("i->", {{40000}}));
}

TEST_CASE("it says how its loops run") {
    built_table rows("ij->i", {{20, 64}});
    CHECK(described(rows) ==
          "loops over 1 output and 1 summed modes, vectors along the summed mode of extent 64");
    built_table columns("ij->j", {{20, 64}});
    CHECK(described(columns) ==
          "loops over 1 output and 1 summed modes, vectors along the output mode of extent 64");
    built_table transpose("ij->ji", {{20, 64}});
    CHECK(described(transpose) == "loops over 2 output and 0 summed modes, scalar");
}
