#include <xeinsum/plan_cache.hpp>

#include "support/allocations.hpp"
#include "support/arrays.hpp"
#include "support/crew.hpp"
#include "support/shared_calls.hpp"

#include <xeinsum/reference/einsum.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <new>
#include <thread>
#include <vector>

using support::numbers;
using xeinsum::layout;
using xeinsum::layout_view;
using xeinsum::plan_cache;
using xeinsum::row_major;
using xeinsum::scale;
namespace reference = xeinsum::reference;

namespace {

/// All keys are the same to it.
struct worst_hash {
    std::size_t operator()(const xeinsum::plan_key_view&) const { return 7; }
};
using colliding_cache = plan_cache<float, xeinsum::detail::default_arch, worst_hash>;

template <class Cache>
auto plan_of(Cache& cache, const char* equation, const std::vector<layout>& operands,
             const xeinsum::options& wanted = {}) {
    const std::vector<layout_view> views(operands.begin(), operands.end());
    return cache.get(equation, views, wanted);
}

}  // namespace

TEST_CASE("calls alike share a plan, others have their own") {
    plan_cache<float> cache;
    const std::vector<layout> shapes{row_major({3, 4}), row_major({4, 5})};
    const auto first = plan_of(cache, "ij,jk->ik", shapes);
    CHECK(plan_of(cache, "ij,jk->ik", shapes) == first);
    CHECK(cache.hits() == 1);
    CHECK(plan_of(cache, "ij,jk->ki", shapes) != first);
    CHECK(plan_of(cache, "ij,jk->ik", {row_major({2, 4}), row_major({4, 5})}) != first);
    CHECK(plan_of(cache, "ij,jk->ik", shapes, {.threads = 3}) != first);
    CHECK(cache.misses() == 4);
    CHECK(cache.size() == 4);
    cache.clear();
    CHECK(cache.size() == 0);
    CHECK(first->equation().text() == "ij,jk->ik");
}

TEST_CASE("collisions of hashes cannot return a wrong plan") {
    colliding_cache cache(3);
    for (int round = 0; round < 3; ++round) {
        for (std::size_t n = 2; n < 7; ++n) {
            const auto a = numbers({n, 3}), b = numbers({3, n + 1}, n);
            CHECK(einsum(cache, "ij,jk->ik", a, b) == reference::einsum("ij,jk->ik", a, b));
            CHECK(einsum(cache, "ij,jk->ki", a, b) == reference::einsum("ij,jk->ki", a, b));
            CHECK(einsum(cache, "ij,jk->ki", a, b) == reference::einsum("ij,jk->ki", a, b));
        }
    }
    CHECK(cache.size() == 3);
    CHECK(cache.hits() == 15);
    CHECK(cache.misses() == 30);
}

TEST_CASE("the plan that was not used for longest is forgotten") {
    plan_cache<float> cache(2);
    const auto one = plan_of(cache, "i->", {row_major({5})});
    const auto two = plan_of(cache, "i->", {row_major({6})});
    CHECK(plan_of(cache, "i->", {row_major({5})}) == one);
    CHECK(plan_of(cache, "i->", {row_major({7})}) != one);
    CHECK(plan_of(cache, "i->", {row_major({5})}) == one);
    CHECK(plan_of(cache, "i->", {row_major({6})}) != two);
    CHECK(cache.size() == cache.capacity());
}

TEST_CASE("einsum and einsum_to by way of a cache are as without one") {
    plan_cache<float> cache;
    const auto a = numbers({3, 4}), b = numbers({5, 4}, 9);
    const auto transposed = xt::transpose(b);
    for (int round = 0; round < 2; ++round) {
        CHECK(einsum(cache, "ij,jk->ik", a, transposed) ==
              reference::einsum("ij,jk->ik", a, transposed));
        CHECK(einsum(cache, "ij,->ji", a + a, 3.0F) == 6 * xt::transpose(a));
        // Into the operand itself.
        xt::xarray<float> square = numbers({4, 4}, 3);
        const auto expected = reference::einsum("ij,jk->ik", square, square) + square;
        const xt::xarray<float> wanted = expected;
        einsum_to(cache, "ij,jk->ik", square, scale{1, 1}, xeinsum::options{}, square, square);
        CHECK(square == wanted);
        xt::xarray<float> out = xt::zeros<float>({5, 3});
        einsum_to(cache, "ij,jk->ki", out, a, transposed);
        CHECK(out == reference::einsum("ij,jk->ki", a, transposed));
    }
    CHECK(cache.misses() == 4);
    CHECK_THROWS_AS(static_cast<void>(einsum(cache, "ij,jk->ik", a, b)), xeinsum::einsum_error);
    CHECK(cache.size() == 4);
}

TEST_CASE("a cache that runs out of memory keeps what it has, whenever that happens") {
    plan_cache<float> cache(2);
    const std::vector<layout> shapes{row_major({3, 4}), row_major({4, 5})};
    const auto kept = plan_of(cache, "i->", {row_major({5})});
    std::size_t failures = 0;
    for (bool made = false; !made; failures += made ? 0 : 1) {
        try {
            const support::failing_allocation failing(failures + 1);
            static_cast<void>(plan_of(cache, "ij,jk->ik", shapes));
            made = true;
        } catch (const std::bad_alloc&) {
            REQUIRE(cache.size() == 1);
            REQUIRE(plan_of(cache, "i->", {row_major({5})}) == kept);
        }
    }
    CHECK(failures > 5);
    CHECK(cache.size() == 2);
    const auto first = plan_of(cache, "ij,jk->ik", shapes);
    CHECK(plan_of(cache, "ij,jk->ik", shapes) == first);
    CHECK(cache.size() == 2);
}

TEST_CASE("sixteen threads share a plan and a cache") {
    // Fewer places than equations: plans are made, found and forgotten at the same time.
    plan_cache<float> cache(3);
    const auto a = numbers({20, 30}), b = numbers({30, 40}, 5);
    const std::vector<const char*> equations{"ij,jk->ik", "ij,jk->ki", "ij,jk->i", "ij,jk->k",
                                             "ij,jk->j"};
    std::vector<xt::xarray<float>> expected;
    for (const char* equation : equations) {
        expected.push_back(reference::einsum(equation, a, b));
    }
    const auto big = numbers({300, 300}, 2);
    const auto shared =
        xeinsum::make_plan<float>("ij,jk->ik", {{300, 300}, {300, 300}}, {.threads = 2});
    xt::xarray<float> product = xt::zeros<float>({300, 300});
    auto memory = shared.make_workspace();
    shared.run(product, memory, big, big);
    std::vector<int> right(16, 0);
    const auto work = [&](std::size_t id) {
        for (std::size_t round = 0; round < 40; ++round) {
            const std::size_t e = (id + round) % equations.size();
            right[id] += einsum(cache, equations[e], a, b) == expected[e] ? 1 : 0;
        }
        const support::crew crew;
        auto mine = shared.make_workspace();
        xt::xarray<float> out = xt::zeros<float>({300, 300});
        shared.run(crew, out, mine, big, big);
        right[id] += out == product ? 1 : 0;
    };
    std::vector<std::thread> threads;
    for (std::size_t id = 0; id < right.size(); ++id) {
        threads.emplace_back(work, id);
    }
    for (auto& t : threads) {
        t.join();
    }
    CHECK(right == std::vector<int>(16, 41));
    CHECK(cache.size() == 3);
}
