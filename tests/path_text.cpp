#include <xeinsum/path_text.hpp>

#include <xeinsum/compiled.hpp>

#include <xeinsum/reference/einsum.hpp>

#include "support/arrays.hpp"
#include "support/error_of.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using xeinsum::equation;
using xeinsum::error_code;
using xeinsum::linear_path;
using xeinsum::path_strategy;
using xeinsum::path_text;
using xeinsum::read_path_pairs;
using xeinsum::read_sliced_labels;
using xeinsum::sliced_label;
using xeinsum::sliced_labels_text;

namespace {

using pairs = std::vector<std::pair<std::size_t, std::size_t>>;
using path = std::vector<std::vector<std::size_t>>;

}  // namespace

TEST_CASE("pairs are read from JSON and from what Python prints") {
    CHECK(read_path_pairs("[]").empty());
    CHECK(read_path_pairs("[[1, 2], [0, 13]]") == pairs{{1, 2}, {0, 13}});
    CHECK(read_path_pairs(" [(1,2) ,\n(0, 3),]") == pairs{{1, 2}, {0, 3}});
    CHECK(read_path_pairs("((1, 2), (0, 3))") == pairs{{1, 2}, {0, 3}});
}

TEST_CASE("what is no list of pairs is refused at its column") {
    const auto column = [](std::string_view text) {
        const auto e = support::error_of([&] { static_cast<void>(read_path_pairs(text)); });
        CHECK(e.code() == error_code::malformed_path);
        CHECK(std::string(e.what()).find("[[0, 1], [0, 1]]") != std::string::npos);
        return e.column();
    };
    CHECK(column("") == 1);
    CHECK(column("0, 1") == 1);
    CHECK(column("[0, 1]") == 2);
    CHECK(column("[[0, 1], [2]]") == 10);
    CHECK(column("[[0, 1, 2]]") == 2);
    CHECK(column("[[0, -1]]") == 6);
    CHECK(column("[[0, 99999999999999999999]]") == 6);
    CHECK(column("[[0 1]]") == 5);
    CHECK(column("[[0, 1]") == 8);
    CHECK(column("[[0, 1)]") == 7);
    CHECK(column("[[0, 1]] 2") == 10);
}

TEST_CASE("the path of a plan gives the same plan again, in either form") {
    const std::vector<std::vector<std::size_t>> shapes{{4, 60}, {60, 50}, {50, 3}, {3, 40}};
    const std::string text = "ij,jk,kl,lm->im";
    const auto found = xeinsum::make_plan<float>(text, shapes);
    const path by_number = found.path();
    REQUIRE(by_number.size() == 3);
    const auto again = [&](const path& p, path_strategy strategy) {
        const pairs read = read_path_pairs(path_text(p));
        return xeinsum::make_plan<float>(text, shapes, {.path = strategy, .path_pairs = read});
    };
    CHECK(again(by_number, path_strategy::numbered_pairs).path() == by_number);
    const path by_place = linear_path(by_number, shapes.size());
    CHECK(by_place != by_number);
    CHECK(again(by_place, path_strategy::linear_pairs).path() == by_number);
}

TEST_CASE("positions are those among the terms that are left") {
    CHECK(path_text(linear_path({{3, 1}, {4, 0}, {2, 5}}, 4)) == "[[1, 3], [0, 2], [0, 1]]");
    CHECK(path_text(linear_path({{2, 0, 1}}, 3)) == "[[0, 1, 2]]");
    CHECK(path_text({}) == "[]");
    const auto refused = [](const path& p) {
        return support::error_of([&] { static_cast<void>(linear_path(p, 3)); }).code();
    };
    CHECK(refused({{0, 3}}) == error_code::malformed_path);
    CHECK(refused({{0, 1}, {0, 2}}) == error_code::malformed_path);
    CHECK(refused({{1, 1}}) == error_code::malformed_path);
}

TEST_CASE("sliced labels are read by their names") {
    using labels = std::vector<sliced_label>;
    const equation letters = xeinsum::parse("ij,jk,...kl->...il");
    CHECK(read_sliced_labels(letters, "[]").empty());
    CHECK(read_sliced_labels(letters, "['l', 'j']") == labels{{3, 0}, {1, 0}});
    CHECK(read_sliced_labels(letters, "([\"k\", 4], (\"i\", 2),)") == labels{{2, 4}, {0, 2}});
    CHECK(read_sliced_labels(letters, R"(["...0", ["...1", 3]])") == labels{{4, 0}, {5, 3}});
    CHECK(read_sliced_labels(xeinsum::parse("b d_in, d_in n, n -> b"), R"(["d_in", ["n", 2]])") ==
          labels{{1, 0}, {2, 2}});
    CHECK(read_sliced_labels(equation::from_labels({{7, -30}, {-30}}), R"(["-30"])") ==
          labels{{1, 0}});
    const auto column = [&](std::string_view text) {
        const auto e =
            support::error_of([&] { static_cast<void>(read_sliced_labels(letters, text)); });
        CHECK(e.code() == error_code::malformed_path);
        CHECK(std::string(e.what()).find("sliced labels are written as") != std::string::npos);
        return e.column();
    };
    CHECK(column("") == 1);
    CHECK(column("\"k\"") == 1);
    CHECK(column("[k]") == 2);
    CHECK(column("['k', 'x']") == 7);
    CHECK(column("['...']") == 2);
    CHECK(column("['...x']") == 2);
    CHECK(column("['...-1']") == 2);
    CHECK(column("['...2147483647']") == 2);
    CHECK(column("[['k']]") == 2);
    CHECK(column("[['k', 0]]") == 2);
    CHECK(column("[['k', -2]]") == 2);
    CHECK(column("[['k', 2, 3]]") == 2);
    CHECK(column("[['k', 'j']]") == 8);
    CHECK(column("['k'] 1") == 7);
}

TEST_CASE("the slices of a plan are written and given to another one") {
    const std::vector<std::vector<std::size_t>> shapes{{4, 6}, {6, 10}, {2, 10, 3}, {3, 8}};
    const std::string text = "ij,jk,...kl,lm->...im";
    const equation eq = xeinsum::parse(text);
    const auto cut = read_sliced_labels(eq, R"([["k", 5], "m", ["...0", 2], ["i", 1]])");
    const pairs path_pairs{{0, 1}, {2, 3}, {4, 5}};
    const auto plan = xeinsum::make_plan<float>(
        text, shapes,
        {.path = path_strategy::numbered_pairs, .path_pairs = path_pairs, .slices = cut});
    CHECK(plan.path() == path{{0, 1}, {2, 3}, {4, 5}});
    CHECK(sliced_labels_text(eq, plan.slices()) == R"([["k", 5], "m", "...0"])");
    const auto read = read_sliced_labels(eq, sliced_labels_text(eq, plan.slices()));
    const auto again = xeinsum::make_plan<float>(
        text, shapes,
        {.path = path_strategy::numbered_pairs, .path_pairs = path_pairs, .slices = read});
    REQUIRE(again.slices().size() == 3);
    for (std::size_t s = 0; s < 3; ++s) {
        CHECK(again.slices()[s].id == plan.slices()[s].id);
        CHECK(again.slices()[s].count == plan.slices()[s].count);
    }
    CHECK(sliced_labels_text(eq, {}) == "[]");
}

namespace {

const std::vector<sliced_label> two_of_j{{1, 2}};

/// A network of which some label is cut.
struct cut_network {
    std::string equation{};
    std::vector<std::vector<std::size_t>> shapes{};
};

}  // namespace

TEST_CASE("slices of any label, alone and with a limit, give the result") {
    const std::vector<cut_network> networks{
        {"ij,jk,kl,lm->im", {{6, 8}, {8, 4}, {4, 9}, {9, 10}}},
        {"ij,jkm,kl,->il", {{6, 4}, {4, 9, 8}, {9, 10}, {}}},  // a sum of one operand
        {"ij,jk,kl->il", {{6, 4}, {1, 9}, {9, 8}}},            // a broadcast extent
        {"iij,jk,kk->i", {{6, 6, 4}, {4, 9}, {9, 9}}},         // diagonals
        {"bij,bjk,bkl->", {{4, 6, 9}, {4, 9, 8}, {4, 8, 10}}},
    };
    for (const cut_network& n : networks) {
        CAPTURE(n.equation);
        std::vector<xt::xarray<float>> operands;
        for (const auto& shape : n.shapes) {
            operands.push_back(support::numbers(shape, 5 * operands.size()));
        }
        const xt::xarray<float> expected = xeinsum::reference::einsum(n.equation, operands);
        const equation eq = xeinsum::parse(n.equation);
        for (std::size_t l = 0; l < eq.label_count(); ++l) {
            for (const std::size_t limit : {std::size_t{1} << 20U, std::size_t{48}}) {
                for (const auto strategy : {path_strategy::automatic, path_strategy::greedy}) {
                    CAPTURE(l);
                    CAPTURE(limit);
                    const std::vector<sliced_label> cut{{static_cast<xeinsum::label>(l), 0}};
                    const auto plan = xeinsum::make_plan<float>(
                        n.equation, n.shapes,
                        {.path = strategy, .memory_limit = limit, .slices = cut});
                    CHECK(plan.slices().size() >= 1);
                    CHECK(static_cast<std::size_t>(plan.largest_intermediate()) * sizeof(float) <=
                          limit);
                    auto memory = plan.make_workspace();
                    xt::xarray<float> out = xt::xarray<float>::from_shape(expected.shape());
                    out.fill(std::numeric_limits<float>::quiet_NaN());
                    plan.run(out, memory, operands);
                    CHECK(out == expected);
                    out.fill(-7);
                    for (std::int64_t i = plan.slice_count(); i-- > 0;) {
                        plan.run_slice(i, out, memory, operands);
                    }
                    CHECK(out == expected - 7);
                }
            }
        }
    }
}

TEST_CASE("slices that a plan cannot have are refused") {
    const std::vector<std::vector<std::size_t>> shapes{{4, 6}, {6, 10}, {10, 3}};
    const auto refused = [&](const std::vector<sliced_label>& cut, xeinsum::options wanted = {}) {
        wanted.slices = cut;
        return support::error_of(
            [&] { static_cast<void>(xeinsum::make_plan<float>("ij,jk,kl->il", shapes, wanted)); });
    };
    CHECK(refused({{2, 5}}).code() == error_code::none);
    CHECK(std::string(refused({{2, 4}}).what())
              .find("the number of slices of a label, whose extent it does not divide, is 4") !=
          std::string::npos);
    CHECK(refused({{4, 0}}).code() == error_code::bad_option);
    const auto one_pass = refused({{2, 5}}, {.path = path_strategy::fused});
    CHECK(one_pass.code() == error_code::bad_option);
    CHECK(std::string(one_pass.what()).find("not in one pass") != std::string::npos);
    constexpr auto nest = xeinsum::lowering::broadcast_multiply_reduce;
    CHECK(refused({{2, 5}}, {.lowering = nest}).code() == error_code::bad_option);
    CHECK(refused({{2, 5}}, {.lowering = nest, .path = path_strategy::greedy}).code() ==
          error_code::none);
    CHECK(support::code_of([] {
              static_cast<void>(
                  xeinsum::make_plan<float>("ij,jk->ik", {{4, 6}, {6, 10}}, {.slices = two_of_j}));
          }) == error_code::bad_option);
}
