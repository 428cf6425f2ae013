#include <xeinsum/equation/grouping.hpp>

#include <xeinsum/equation/parser.hpp>

#include "../support/both.hpp"

using xeinsum::call_kind;
using xeinsum::fixed_storage;
using xeinsum::label_group;
using xeinsum::notation;
namespace parsing = xeinsum::parsing;

namespace {

constexpr auto read(std::string_view text) {
    return parsing::read<fixed_storage<32>>(text, notation::grouped).equation;
}

}  // namespace

TEST_CASE("a group is one axis, a unit axis too, and an ellipsis is not counted") {
    support::check_both([] {
        const auto eq = read("b (h d) 1, ... () e -> b");
        return parsing::axis_count(eq, 0) == 3 && parsing::axis_count(eq, 1) == 2 &&
               parsing::named_axes(eq.term(0)) == 3 && parsing::has_ellipsis(eq.term(1));
    });
}

TEST_CASE("every axis knows its labels and its place in the text") {
    support::check_both([] {
        const auto eq = read("b (h d) 1 ... -> (d ... b) h ...");
        fixed_storage<32>::list<parsing::axis_labels> in;
        parsing::append_axis_labels(eq, 0, 2, in);
        return in.size() == 5 && in[0].count == 1 && in[0].column == 1 && in[1].count == 2 &&
               in[1].column == 3 && in[1].length == 5 && in[2].count == 0 && in[2].column == 9 &&
               in[3].count == 1 && in[4].column == 11;
    });
    support::check_both([] {
        const auto eq = read("b ... -> 1 (... b) ()");
        fixed_storage<32>::list<parsing::axis_labels> out;
        parsing::append_axis_labels(eq, label_group::in_output, 3, out);
        return out.size() == 3 && out[0].count == 0 && out[1].count == 4 && out[2].count == 0;
    });
}
