#include <xeinsum/equation/builder.hpp>

#include "../support/both.hpp"

using xeinsum::equation_builder;
using xeinsum::error_code;
using xeinsum::notation;
using storage = xeinsum::fixed_storage<32>;

TEST_CASE("a label used twice has one id") {
    support::check_both([] {
        xeinsum::basic_equation<storage> eq;
        equation_builder<storage> b(eq, "ij,ji", notation::letters, false);
        const bool fine = b.add_label(1, 1).ok() && b.add_label(2, 1).ok() &&
                          b.begin_term(3).ok() && b.add_label(4, 1).ok() &&
                          b.add_label(5, 1).ok() && b.finish().ok();
        return fine && eq.label_count() == 2 && eq.term(0)[0].id == eq.term(1)[1].id &&
               eq.term(0)[1].id == eq.term(1)[0].id && eq.output().empty();
    });
}

TEST_CASE("integer labels are told apart by number, not by spelling") {
    support::check_both([] {
        xeinsum::basic_equation<storage> eq;
        equation_builder<storage> b(eq, "[1,01]", notation::integers, false);
        return b.add_label(2, 1, 1).ok() && b.add_label(4, 2, 1).ok() && b.finish().ok() &&
               eq.label_count() == 1;
    });
}

TEST_CASE("an implicit output is sorted by number or spelling, the ellipsis first") {
    support::check_both([] {
        xeinsum::basic_equation<storage> eq;
        equation_builder<storage> b(eq, "[30,10,...]", notation::integers, false);
        return b.add_label(2, 2, 30).ok() && b.add_label(5, 2, 10).ok() &&
               b.add_ellipsis(8, 3).ok() && b.finish().ok() &&
               eq.output()[0].id == xeinsum::ellipsis_label && eq.name(eq.output()[1].id) == "10" &&
               eq.name(eq.output()[2].id) == "30";
    });
    support::check_both([] {
        xeinsum::basic_equation<storage> eq;
        equation_builder<storage> b(eq, "aBa", notation::letters, false);
        return b.add_label(1, 1).ok() && b.add_label(2, 1).ok() && b.add_label(3, 1).ok() &&
               b.finish().ok() && eq.output().size() == 1 && eq.name(eq.output()[0].id) == "B";
    });
}

TEST_CASE("what no notation allows is refused at its column") {
    support::check_both([] {
        xeinsum::basic_equation<storage> eq;
        equation_builder<storage> b(eq, "i->j", notation::letters, false);
        const bool fine = b.add_label(1, 1).ok() && b.begin_output(2, 2).ok();
        const auto p = b.add_label(4, 1);
        return fine && p.code == error_code::unknown_output_label && p.column == 4;
    });
    support::check_both([] {
        xeinsum::basic_equation<storage> eq;
        equation_builder<storage> b(eq, "i->ii", notation::letters, false);
        const bool fine =
            b.add_label(1, 1).ok() && b.begin_output(2, 2).ok() && b.add_label(4, 1).ok();
        const auto p = b.add_label(5, 1);
        return fine && p.code == error_code::repeated_output_label && p.column == 5;
    });
    support::check_both([] {
        xeinsum::basic_equation<storage> eq;
        equation_builder<storage> b(eq, "a->a->a", notation::letters, false);
        const bool fine =
            b.add_label(1, 1).ok() && b.begin_output(2, 2).ok() && b.add_label(4, 1).ok();
        return fine && b.begin_output(5, 2).code == error_code::too_many_arrows &&
               b.begin_term(5).code == error_code::comma_in_output;
    });
    support::check_both([] {
        xeinsum::basic_equation<storage> eq;
        equation_builder<storage> b(eq, "......", notation::letters, false);
        return b.add_ellipsis(1, 3).ok() && b.add_ellipsis(4, 3).code == error_code::two_ellipses;
    });
    support::check_both([] {
        xeinsum::basic_equation<storage> eq;
        equation_builder<storage> b(eq, "a b", notation::names, false);
        const bool fine = b.add_label(1, 1).ok() && b.add_label(3, 1).ok();
        const auto p = b.finish();
        return fine && p.code == error_code::missing_arrow && p.column == 4;
    });
}
