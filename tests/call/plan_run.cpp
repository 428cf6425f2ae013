#include <xeinsum/call/plan_run.hpp>

#include "../support/instances.hpp"

#include <xeinsum/compiled.hpp>
#include <xeinsum/equation/parser.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

using T = float;
using xeinsum::scale;
using state = xeinsum::detail::plan_state<T, xeinsum::detail::default_arch>;
using run = xeinsum::detail::plan_run<T, xeinsum::detail::default_arch>;

TEST_CASE("only arrays that lie as planned, apart from the output, are run without checks") {
    const state s(xeinsum::parse(std::string_view("ij,jk->ik")),
                  {xeinsum::row_major({2, 3}), xeinsum::row_major({3, 4})}, {});
    const xeinsum::parallel_for alone;
    const run one(s, alone);
    const xt::xtensor<T, 2> a = {{1, 2, 3}, {4, 5, 6}};
    const xt::xtensor<T, 2> b = {{1, 0, 2, 7}, {0, 3, 1, 5}, {4, 1, 0, 2}};
    const xt::xtensor<T, 2> product = {{13, 9, 4, 23}, {28, 21, 13, 65}};
    xt::xtensor<T, 2> out = xt::zeros<T>({2, 4});
    std::vector<std::byte> memory(s.workspace_bytes());
    REQUIRE(one.as_planned(out, scale{1, 0}, memory, a, b));
    CHECK(out == product);

    out.fill(7);
    const xt::xtensor<T, 2> untouched = out;
    const xt::xtensor<T, 2, xt::layout_type::column_major> columns = a;
    CHECK_FALSE(one.as_planned(out, scale{1, 0}, memory, columns, b));
    CHECK_FALSE(one.as_planned(out, scale{1, 0}, memory, a));
    CHECK_FALSE(one.as_planned(out, scale{1, 0}, memory, b, a));
    CHECK_FALSE(one.as_planned(out, scale{1, 0}, memory, a, b + b));
    CHECK_FALSE(one.as_planned(out, scale{1, 0}, std::span(memory).first(memory.size() / 2), a, b));
    xt::xtensor<double, 2> wide = xt::zeros<double>({2, 4});
    CHECK_FALSE(one.as_planned(wide, scale{1, 0}, memory, a, b));
    xt::xtensor<T, 1> shared = xt::zeros<T>({20});
    auto inside =
        xt::adapt(shared.data() + 4, 8, xt::no_ownership(), std::vector<std::size_t>{2, 4});
    auto operand = xt::adapt(shared.data(), 6, xt::no_ownership(), std::vector<std::size_t>{2, 3});
    CHECK_FALSE(one.as_planned(inside, scale{1, 0}, memory, operand, b));
    CHECK(out == untouched);
}
