#include <xeinsum/equation/equation.hpp>

#include <xeinsum/equation/parser.hpp>

#include "../support/both.hpp"
#include "../support/shared_equations.hpp"

using xeinsum::index_class;
using xeinsum::parse;

TEST_CASE("a parsed equation tells terms, labels and output") {
    support::check_both([] {
        constexpr auto eq = parse("bij,bjk->bik");
        return eq.term_count() == 2 && eq.label_count() == 4 && eq.term(1).size() == 3 &&
               eq.term(1)[2].column == 7 && eq.name(eq.term(1)[2].id) == "k" &&
               eq.output().size() == 3 && eq.name(eq.output()[1].id) == "i" &&
               eq.has_explicit_output() && eq.text() == "bij,bjk->bik";
    });
}

TEST_CASE("classes of a pair") {
    struct row {
        std::string_view equation, batch, lhs_free, rhs_free, contracted, lhs_only, rhs_only;
    };
    constexpr row table[]{
        {"ij,jk->ik", "", "i", "k", "j", "", ""},
        {"bij,bjk->bik", "b", "i", "k", "j", "", ""},
        {"nctw,cd->ndtw", "", "ntw", "d", "c", "", ""},
        {"nkctv,kvw->nctw", "", "nct", "w", "kv", "", ""},
        {"bhnm,bdhm->bdhn", "bh", "n", "d", "m", "", ""},
        {"bchw,bchw->bc", "bc", "", "", "hw", "", ""},
        {"zabcde,zabcdef->zcdef", "zcde", "", "f", "ab", "", ""},
        {"ij,kl->", "", "", "", "", "ij", "kl"},
        {"iij,jk->k", "", "", "k", "j", "i", ""},
        {"i,j", "", "i", "j", "", "", ""},
        {"...ij,...jk->...ik", "...", "i", "k", "j", "", ""},
        {"b l d_in, d_in n -> b l d_in n", "d_in", "b l", "n", "", "", ""},
    };
    for (const row& r : table) {
        CAPTURE(r.equation);
        const auto classes = parse(r.equation).classify(0, 1);
        CHECK(classes.batch == r.batch);
        CHECK(classes.lhs_free == r.lhs_free);
        CHECK(classes.rhs_free == r.rhs_free);
        CHECK(classes.contracted == r.contracted);
        CHECK(classes.lhs_only == r.lhs_only);
        CHECK(classes.rhs_only == r.rhs_only);
    }
}

TEST_CASE("what a third term needs survives a pair") {
    support::check_both([] {
        const auto classes = parse("ij,jk,jl->il").classify(0, 1);
        return classes.batch == "j" && classes.lhs_free == "i" && classes.rhs_only == "k";
    });
    support::check_both([] {
        auto classes = parse("ij,jk,kl->il").classify(0, 2);
        return classes[index_class::lhs_free] == "ij" && classes[index_class::rhs_free] == "kl";
    });
}

TEST_CASE("an equation from the compiler enters run-time storage whole") {
    constexpr auto constant = parse("ab...,b->...a");
    const xeinsum::equation copy = constant;
    CHECK(copy.text() == constant.text());
    CHECK(copy.term_count() == 2);
    CHECK(copy.name(copy.output()[1].id) == "a");
    CHECK(copy.output()[0].id == xeinsum::ellipsis_label);
    CHECK(copy.notation() == xeinsum::notation::letters);
    CHECK(copy.notation_was_guessed());
}

TEST_CASE("label lists know their members") {
    support::check_both([] {
        const auto classes = parse("b l d_in, b l n -> b l d_in n").classify(0, 1);
        return classes.batch == "b l" && classes.batch.size() == 2 && classes.batch.contains(1) &&
               !classes.batch.contains(2) && classes.contracted.empty();
    });
}
