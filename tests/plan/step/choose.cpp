#include <xeinsum/plan/step/choose.hpp>

#include "../../support/both.hpp"

#include <array>
#include <cstdint>

using xeinsum::candidates;
using xeinsum::error_code;
using xeinsum::lowering;
using xeinsum::mode_table;
using xeinsum::recipe;
using xeinsum::planning::choose;
using xeinsum::planning::target;

namespace {

/// In lowerings_in_order: broadcast_multiply_reduce, gemm, depthwise_convolution.
constexpr candidates three(double bmr, double gemm, double depthwise) {
    candidates c{};
    c[0].seconds = bmr;
    c[1].seconds = gemm;
    c[2].seconds = depthwise;
    return c;
}

struct cheap {
    static constexpr lowering id = lowering::gemm;
    static constexpr const char* refusal(const mode_table&) { return nullptr; }
    static constexpr double seconds(const mode_table&, const target&) { return 1; }
    static constexpr recipe build(mode_table&, const target&) {
        recipe r;
        r.scratch_bytes = 7;
        return r;
    }
    static constexpr std::int64_t unit(const recipe&, const mode_table&, std::size_t,
                                       const target&) {
        return 1;
    }
};
struct unwilling {
    static constexpr lowering id = lowering::depthwise_convolution;
    static constexpr const char* refusal(const mode_table&) { return "not today"; }
    static constexpr double seconds(const mode_table&, const target&) { return 0; }
    static constexpr recipe build(mode_table&, const target&) { return {}; }
    static constexpr std::int64_t unit(const recipe&, const mode_table&, std::size_t,
                                       const target&) {
        return 0;
    }
};
struct sure {
    static constexpr lowering id = lowering::broadcast_multiply_reduce;
    static constexpr const char* refusal(const mode_table&) { return nullptr; }
    static constexpr double seconds(const mode_table&, const target&) { return 9; }
    static constexpr recipe build(mode_table&, const target&) { return {}; }
    static constexpr std::int64_t unit(const recipe&, const mode_table&, std::size_t,
                                       const target&) {
        return 1;
    }
    static constexpr bool obvious(const mode_table& t, const target&) { return t.inputs() == 2; }
    static constexpr bool build_obvious(mode_table&, const target&, recipe& how) {
        how.variant = 3;
        return true;
    }
};
/// For the plans of labels alone.
struct precomputed {
    static constexpr lowering id = lowering::broadcast_multiply_reduce;
    static constexpr const char* refusal(const mode_table&) { return nullptr; }
    static constexpr double seconds(const mode_table&, const target&) { return 1; }
    static constexpr recipe build(mode_table&, const target&) { return {}; }
    static constexpr std::int64_t unit(const recipe&, const mode_table&, std::size_t,
                                       const target&) {
        return 1;
    }
    static constexpr bool precompute(mode_table&, const target&, recipe& how) {
        how.variant = 5;
        return true;
    }
    static constexpr std::size_t scratch_bytes(const mode_table&, const target&) { return 9; }
};
/// Cheaper than cheap, but without a chance among two inputs.
struct outdone {
    static constexpr lowering id = lowering::broadcast_multiply_reduce;
    static constexpr const char* refusal(const mode_table&) { return nullptr; }
    static constexpr bool never_wins(const mode_table& t) { return t.inputs() == 2; }
    static constexpr double seconds(const mode_table&, const target&) { return 0.5; }
    static constexpr recipe build(mode_table&, const target&) { return {}; }
    static constexpr std::int64_t unit(const recipe&, const mode_table&, std::size_t,
                                       const target&) {
        return 1;
    }
};
using list = xeinsum::planning::lowering_list<cheap, unwilling>;
using contest = xeinsum::planning::lowering_list<cheap, outdone, unwilling>;
using precomputed_list = xeinsum::planning::lowering_list<cheap, precomputed>;
using sure_list = xeinsum::planning::lowering_list<cheap, sure, unwilling>;

/// What a list builds where the choice is open.
template <class List>
constexpr recipe best(mode_table& table) {
    recipe how;
    List::decide.build_best(table, target{}, how);
    return how;
}

}  // namespace

TEST_CASE("the cheapest that applies is chosen, the first among equals") {
    support::check_both(
        [] { return choose(three(3, 2, 5), lowering::automatic).chosen == lowering::gemm; });
    support::check_both([] {
        return choose(three(2, 2, 2), lowering::automatic).chosen ==
               lowering::broadcast_multiply_reduce;
    });
    support::check_both([] {
        candidates c = three(3, 2, 1);
        c[2].refusal = "no";
        const auto best = choose(c, lowering::automatic);
        return best.chosen == lowering::gemm && best.seconds == 2 && best.error.ok();
    });
}

TEST_CASE("a forced lowering is taken at any cost, or its refusal told") {
    support::check_both([] {
        const auto best = choose(three(1, 2, 9), lowering::depthwise_convolution);
        return best.chosen == lowering::depthwise_convolution && best.seconds == 9;
    });
    support::check_both([] {
        candidates c = three(1, 2, 9);
        c[1].refusal = "no";
        const auto best = choose(c, lowering::gemm);
        return best.error.code == error_code::lowering_not_applicable &&
               std::string_view(best.error.reason) == "no";
    });
}

TEST_CASE("what never wins, or is left alone, is not predicted") {
    support::check_both([] {
        std::array<std::int64_t, 16> cells{};
        mode_table alone(cells.data(), 2);
        mode_table contested(cells.data(), 3);
        const candidates one = contest::decide.contenders(alone, target{});
        const candidates two = contest::decide.contenders(contested, target{});
        return one[0].refusal != nullptr && one[1].refusal == nullptr && one[1].seconds == 0 &&
               one[2].refusal != nullptr && two[0].seconds == 0.5 && two[1].seconds == 1 &&
               two[2].refusal != nullptr && best<contest>(alone).chosen == lowering::gemm &&
               best<contest>(contested).chosen == lowering::broadcast_multiply_reduce;
    });
}

TEST_CASE("an obvious lowering is the best, whatever others predict") {
    support::check_both([] {
        std::array<std::int64_t, 16> cells{};
        mode_table two(cells.data(), 2);
        return best<sure_list>(two).variant == 3;
    });
}

TEST_CASE("steps are cut if they take long, on one thread only for few results") {
    const auto workers = [](std::int64_t results, std::int64_t terms, unsigned threads) {
        std::array<std::int64_t, 16> cells{};
        mode_table t(cells.data(), 2);
        t.stride(t.push(results), 0) = 1;
        t.set_kind(0, xeinsum::index_class::lhs_free);
        t.set_kind(t.push(terms), xeinsum::index_class::contracted);
        target on;
        on.threads = threads;
        const recipe how = list::decide.build(lowering::gemm, t, on);
        return how.split.is_cut() ? how.split.workers : 0;
    };
    CHECK(workers(3, 100000, 1) == 1);  // pieces of a sum, one after the other
    CHECK(workers(3, 100000, 2) == 2);
    CHECK(workers(100000, 3, 1) == 0);
    CHECK(workers(100000, 3, 2) == 2);
    CHECK(workers(3, 1000, 2) == 0);
}

TEST_CASE("a list asks its lowerings") {
    support::check_both([] {
        std::array<std::int64_t, 8> cells{};
        mode_table t(cells.data(), 2);
        const candidates c = list::decide.evaluate(t, target{});
        return c[1].seconds == 1 && c[1].refusal == nullptr && c[2].refusal != nullptr &&
               list::decide.build(lowering::gemm, t, target{}).scratch_bytes == 7 &&
               list::decide.build(lowering::gemm, t, target{}).chosen == lowering::gemm;
    });
    support::check_both([] {
        std::array<std::int64_t, 8> cells{};
        mode_table t(cells.data(), 2);
        recipe none;
        recipe sure;
        list::decide.build_obvious(t, target{}, none);
        sure_list::decide.build_obvious(t, target{}, sure);
        return list::decide.obvious(t, target{}) == lowering::automatic &&
               none.chosen == lowering::automatic &&
               sure_list::decide.obvious(t, target{}) == lowering::broadcast_multiply_reduce &&
               sure.chosen == lowering::broadcast_multiply_reduce && sure.variant == 3 &&
               list::decide.precompute(t, target{}).chosen == lowering::automatic &&
               precomputed_list::decide.precompute(t, target{}).variant == 5 &&
               list::decide.scratch_bytes(lowering::gemm, t, target{}) == 0 &&
               precomputed_list::decide.scratch_bytes(lowering::broadcast_multiply_reduce, t,
                                                      target{}) == 9;
    });
    int called = 0;
    list::with(lowering::gemm,
               [&]<class Lowering>() { called += Lowering::id == lowering::gemm ? 1 : 100; });
    CHECK(called == 1);
}
