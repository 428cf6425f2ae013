#include <xeinsum/path_text.hpp>

#include <xeinsum/compiled.hpp>

#include "support/error_of.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using xeinsum::error_code;
using xeinsum::linear_path;
using xeinsum::path_strategy;
using xeinsum::path_text;
using xeinsum::read_path_pairs;

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
