#include <xeinsum/call/basic_plan.hpp>

#include "../support/instances.hpp"

#include <xeinsum/compiled.hpp>
#include <xeinsum/equation/parser.hpp>

#include <doctest/doctest.h>

#include <sstream>
#include <string_view>

namespace {

struct product : xeinsum::basic_plan<float, xeinsum::detail::default_arch> {
    product()
        : basic_plan(xeinsum::parse(std::string_view("ij,jk,kl->il")),
                     {xeinsum::row_major({3, 40}), xeinsum::row_major({40, 5}),
                      xeinsum::row_major({5, 6})},
                     {}) {}
};

}  // namespace

TEST_CASE("figures of all steps are added up") {
    const product p;
    REQUIRE(p.steps().size() == 2);
    CHECK(p.flops() == 2.0 * 3 * 40 * 5 + 2.0 * 3 * 5 * 6);
    CHECK(p.predicted_seconds() == p.steps()[0].seconds + p.steps()[1].seconds);
    CHECK(p.largest_intermediate() == 15);
    CHECK(p.slices().empty());
    CHECK(p.make_workspace().size() == p.workspace_bytes());
    std::ostringstream text;
    text << p;
    CHECK(text.str().find("plan of ij,jk,kl->il\n") == 0);
}
