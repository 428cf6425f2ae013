#include <xeinsum/plan/extents.hpp>

#include <xeinsum/equation/parser.hpp>

#include "../support/both.hpp"
#include "../support/shared_equations.hpp"

#include <array>
#include <cstdint>
#include <limits>

using xeinsum::error_code;
using xeinsum::layout_view;
using xeinsum::parse;
using xeinsum::planning::find_extents;
using xeinsum::planning::multiply;
using extents_list = std::array<std::int64_t, 4>;

namespace {

template <std::size_t A, std::size_t B, class Equation>
constexpr auto check_pair(const Equation& eq, const std::array<std::int64_t, A>& a,
                          const std::array<std::int64_t, B>& b, extents_list& extents) {
    const auto net =
        xeinsum::resolve<xeinsum::fixed_storage<32>>(eq, std::array<std::size_t, 2>{A, B});
    const std::array<layout_view, 2> operands{layout_view{a, {}}, layout_view{b, {}}};
    return find_extents(net.view(), operands, {extents.data(), net.label_count});
}

}  // namespace

TEST_CASE("products of extents are checked") {
    support::check_both([] {
        std::int64_t p = 0;
        constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
        return multiply(3037000499, 3037000499, p) && p == 3037000499 * 3037000499 &&
               !multiply(3037000500, 3037000500, p) && multiply(most, 1, p) && p == most &&
               !multiply(most, 2, p) && multiply(most, 0, p) && p == 0;
    });
}

TEST_CASE("labels get their extents, 1 gives way") {
    support::check_both([] {
        extents_list e{};
        const auto p = check_pair(parse("ij,jk->ik"), std::array<std::int64_t, 2>{2, 3},
                                  std::array<std::int64_t, 2>{3, 4}, e);
        return p.ok() && e[0] == 2 && e[1] == 3 && e[2] == 4;
    });
    support::check_both([] {
        extents_list e{};
        const auto p = check_pair(parse("ij,jk->ik"), std::array<std::int64_t, 2>{2, 1},
                                  std::array<std::int64_t, 2>{0, 4}, e);
        return p.ok() && e[1] == 0;
    });
    support::check_both([] {
        extents_list e{};  // the one axis under the ellipsis is label 2
        const auto p = check_pair(parse("...i,j...->ij..."), std::array<std::int64_t, 2>{1, 2},
                                  std::array<std::int64_t, 2>{3, 7}, e);
        return p.ok() && e[0] == 2 && e[1] == 3 && e[2] == 7;
    });
}

TEST_CASE("clashing extents name both places") {
    support::check_both([] {
        extents_list e{};
        const auto p = check_pair(parse("ij,jk->ik"), std::array<std::int64_t, 2>{2, 3},
                                  std::array<std::int64_t, 2>{4, 5}, e);
        return p.code == error_code::extent_mismatch && p.first.array == 0 && p.first.axis == 1 &&
               p.first.extent == 3 && p.second.array == 1 && p.second.axis == 0 &&
               p.second.extent == 4;
    });
    support::check_both([] {
        extents_list e{};
        const auto p = check_pair(parse("i,jj->ij"), std::array<std::int64_t, 1>{2},
                                  std::array<std::int64_t, 2>{1, 3}, e);
        return p.code == error_code::diagonal_mismatch && p.first.array == 1 &&
               p.second.array == 1 && p.second.axis == 1 && p.second.extent == 3;
    });
    support::check_both([] {
        extents_list e{};
        const auto p = check_pair(parse("...,...->..."), std::array<std::int64_t, 2>{2, 3},
                                  std::array<std::int64_t, 1>{2}, e);
        return p.code == error_code::ellipsis_mismatch && p.first.extent == 3 &&
               p.second.extent == 2;
    });
}

TEST_CASE("an extent that was too large for its type is refused") {
    support::check_both([] {
        extents_list e{};
        const auto p = check_pair(parse("ij,jk->ik"), std::array<std::int64_t, 2>{2, 3},
                                  std::array<std::int64_t, 2>{3, -1}, e);
        return p.code == error_code::extent_overflow && p.second.array == 1 && p.second.axis == 1;
    });
}

TEST_CASE("elements of a result are counted, none if an extent is 0") {
    support::check_both([] {
        constexpr std::array<xeinsum::label, 3> output{0, 2, 1};
        constexpr std::array<std::int64_t, 3> some{2, 3, 5};
        constexpr std::array<std::int64_t, 3> none{std::int64_t{1} << 40, 0, std::int64_t{1} << 40};
        constexpr std::array<std::int64_t, 3> many{std::int64_t{1} << 40, 1, std::int64_t{1} << 40};
        std::int64_t n = -1;
        std::int64_t zero = -1;
        std::int64_t lost = -1;
        return xeinsum::planning::count_elements(output, some, n) && n == 30 &&
               xeinsum::planning::count_elements(output, none, zero) && zero == 0 &&
               !xeinsum::planning::count_elements(output, many, lost);
    });
}
