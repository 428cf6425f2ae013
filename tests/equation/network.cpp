#include <xeinsum/equation/network.hpp>

#include <xeinsum/equation/parser.hpp>

#include "../support/both.hpp"
#include "../support/shared_equations.hpp"

#include <array>
#include <span>
#include <string_view>
#include <utility>

using xeinsum::error_code;
using xeinsum::label;
using xeinsum::notation;
using xeinsum::parse;
using xeinsum::resolve;
using storage = xeinsum::fixed_storage<32>;

namespace {

template <std::size_t N>
constexpr bool same(std::span<const label> found, const std::array<label, N>& expected) {
    return std::equal(found.begin(), found.end(), expected.begin(), expected.end());
}

}  // namespace

TEST_CASE("without an ellipsis the axes are the labels") {
    support::check_both([] {
        const auto net = resolve<storage>(parse("ij,jk->ki"), std::array<std::size_t, 2>{2, 2});
        const auto view = net.view();
        return net.error.ok() && same(view.operand(0), std::array<label, 2>{0, 1}) &&
               same(view.operand(1), std::array<label, 2>{1, 2}) &&
               same(view.output, std::array<label, 2>{2, 0}) && view.label_count == 3 &&
               view.operand_count() == 2;
    });
}

TEST_CASE("axes under an ellipsis are aligned from the right") {
    support::check_both([] {
        // labels i 0, j 1; the longest ellipsis covers 2 axes: 2 and 3.
        const auto net =
            resolve<storage>(parse("i...,...j->...ij"), std::array<std::size_t, 2>{3, 2});
        const auto view = net.view();
        return net.error.ok() && view.label_count == 4 && view.named_labels == 2 &&
               same(view.operand(0), std::array<label, 3>{0, 2, 3}) &&
               same(view.operand(1), std::array<label, 2>{3, 1}) &&
               same(view.output, std::array<label, 4>{2, 3, 0, 1});
    });
}

TEST_CASE("an ellipsis may cover nothing, be left out or stand in the output alone") {
    support::check_both([] {
        const auto net = resolve<storage>(parse("...i->...i"), std::array<std::size_t, 1>{1});
        return net.error.ok() && same(net.view().output, std::array<label, 1>{0});
    });
    support::check_both([] {
        const auto net = resolve<storage>(parse("i...->i"), std::array<std::size_t, 1>{3});
        return net.error.ok() && net.label_count == 3 &&
               same(net.view().output, std::array<label, 1>{0});
    });
    support::check_both([] {
        const auto net = resolve<storage>(parse("ij->...ij"), std::array<std::size_t, 1>{2});
        return net.error.ok() && same(net.view().output, std::array<label, 2>{0, 1});
    });
}

TEST_CASE("operands that do not fit are refused") {
    support::check_both([] {
        const auto p = resolve<storage>(parse("ij,jk"), std::array<std::size_t, 1>{2}).error;
        return p.code == error_code::operand_count && p.expected == 2 && p.found == 1;
    });
    support::check_both([] {
        return resolve<storage>(parse("i"), std::span<const std::size_t>()).error.code ==
               error_code::no_operand;
    });
    support::check_both([] {
        const auto p = resolve<storage>(parse("ij,jk"), std::array<std::size_t, 2>{2, 3}).error;
        return p.code == error_code::rank_mismatch && p.second.array == 1 && p.column == 4 &&
               p.length == 2 && p.expected == 2 && p.found == 3;
    });
    support::check_both([] {
        const auto p = resolve<storage>(parse("i...j"), std::array<std::size_t, 1>{1}).error;
        return p.code == error_code::rank_mismatch && p.expected == 2 && p.found == 1;
    });
}

TEST_CASE("an axis is located at its label") {
    support::check_both([] {
        xeinsum::problem p;
        p.second = {1, 3, 7};
        locate(p, parse("ij,a...b->"), 4);
        return p.column == 8 && p.length == 1;  // b
    });
    support::check_both([] {
        xeinsum::problem p;
        p.second = {1, 2, 7};
        locate(p, parse("ij,a...b->"), 4);
        return p.column == 5 && p.length == 3;  // ...
    });
}

TEST_CASE("an axis of the output is located there, or where its label comes from") {
    const auto at = [](std::string_view text, std::size_t axis, std::size_t rank,
                       notation n = notation::automatic) {
        xeinsum::problem p;
        p.second.axis = axis;
        locate_output(p, parse(text, n), rank);
        return std::pair{p.column, p.length};
    };
    using place = std::pair<std::size_t, std::size_t>;
    CHECK(at("ij,jk->ik", 1, 2) == place{9, 1});
    CHECK(at("a...b->b...a", 0, 4) == place{8, 1});
    CHECK(at("a...b->b...a", 2, 4) == place{9, 3});
    CHECK(at("a...b->b...a", 3, 4) == place{12, 1});
    CHECK(at("b n (h d)->1 n (b d) h", 0, 4, notation::grouped) == place{12, 1});
    CHECK(at("b n (h d)->1 n (b d) h", 2, 4, notation::grouped) == place{16, 5});
    CHECK(at("b n (h d)->1 n (b d) h", 3, 4, notation::grouped) == place{22, 1});
    // An output that is not written.
    CHECK(at("kj,ji", 0, 2) == place{5, 1});
    CHECK(at("kj,ji", 1, 2) == place{1, 1});
    CHECK(at("b...a", 1, 4) == place{2, 3});
    CHECK(at("b...a", 3, 4) == place{1, 1});
    // Ranks are blamed on the whole term, if there is one.
    CHECK(at("ij,jk->ik", xeinsum::problem::nowhere, 2) == place{8, 2});
    CHECK(at("ij->", xeinsum::problem::nowhere, 0) == place{0, 0});
}
