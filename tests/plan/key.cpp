#include <xeinsum/plan/key.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <span>
#include <unordered_set>
#include <utility>
#include <vector>

using xeinsum::layout;
using xeinsum::layout_view;
using xeinsum::notation;
using xeinsum::options;
using xeinsum::plan_key;
using xeinsum::plan_key_hash;
using xeinsum::plan_key_view;
using xeinsum::row_major;

TEST_CASE("a key differs in everything that a plan depends on") {
    const std::vector<layout> shapes{row_major({2, 3}), row_major({3, 4})};
    const std::vector<layout> others{row_major({3, 3}), row_major({3, 4})};
    const std::vector<layout> transposed{{{2, 3}, {1, 2}}, row_major({3, 4})};
    const auto key = [](const char* text, notation n, const std::vector<layout>& l,
                        const options& wanted) {
        const std::vector<layout_view> views(l.begin(), l.end());
        const plan_key_view view{text, n, views, &wanted};
        plan_key k(text, n, l, wanted);
        CHECK(k == view);
        CHECK(k.hash() == plan_key_hash()(view));
        return k;
    };
    constexpr auto letters = notation::letters;
    const std::vector<std::pair<std::size_t, std::size_t>> pairs{{0, 2}, {1, 3}};
    const std::vector<xeinsum::sliced_label> slices{{0, 2}, {1, 0}};
    const xeinsum::machine slow{.hertz = 1e9}, slower{.hertz = 1e8};
    const std::vector<plan_key> keys{
        key("ij,jk->ik", letters, shapes, {}),
        key("ij,jk->ki", letters, shapes, {}),
        key("ij,jk->ik", notation::automatic, shapes, {}),
        key("ij,jk->ik", letters, others, {}),
        key("ij,jk->ik", letters, transposed, {}),
        key("ij,jk->ik", letters, {shapes[0]}, {}),
        key("ij,jk->ik", letters, shapes, {.lowering = xeinsum::lowering::gemm}),
        key("ij,jk->ik", letters, shapes, {.path = xeinsum::path_strategy::greedy}),
        key("ij,jk->ik", letters, shapes, {.memory_limit = 1000}),
        key("ij,jk->ik", letters, shapes, {.threads = 2}),
        key("ij,jk->ik", letters, shapes, {.path_cost = {1, 0, 0}}),
        key("ij,jk->ik", letters, shapes, {.path_restarts = 3}),
        key("ij,jk->ik", letters, shapes, {.path_seconds = 0.5}),
        key("ij,jk->ik", letters, shapes, {.path_pairs = pairs}),
        key("ij,jk->ik", letters, shapes, {.path_pairs = std::span(pairs).first(1)}),
        key("ij,jk->ik", letters, shapes, {.slices = slices}),
        key("ij,jk->ik", letters, shapes, {.slices = std::span(slices).first(1)}),
        key("ij,jk->ik", letters, shapes, {.machine = &slow}),
        key("ij,jk->ik", letters, shapes, {.machine = &slower}),
    };
    for (std::size_t a = 0; a < keys.size(); ++a) {
        for (std::size_t b = 0; b < keys.size(); ++b) {
            CHECK((keys[a] == keys[b]) == (a == b));
        }
    }
    const std::unordered_set<plan_key> set(keys.begin(), keys.end());
    CHECK(set.size() == keys.size());
}

TEST_CASE("what makes no difference to the plan makes none to the key") {
    auto mine = [](std::size_t, xeinsum::pieces_of_work) {};
    const options plain{};
    const options with_pool{.parallel = mine};
    const std::vector<layout> a{{{1, 5}, {5, 1}}};
    const std::vector<layout> b{{{1, 5}, {0, 1}}};
    const plan_key first("ij->j", notation::letters, a, plain);
    const plan_key second("ij->j", notation::letters, b, with_pool);
    CHECK(first == second);
    CHECK(first.hash() == second.hash());
    CHECK_FALSE(static_cast<bool>(second.wanted().parallel));  // it may be gone by now
}

TEST_CASE("a key compares machines by their figures, and keeps a copy") {
    const std::vector<layout> shapes{row_major({2, 3})};
    xeinsum::machine slow{.hertz = 1e9};
    const xeinsum::machine usual, slow_too = slow;
    const auto key = [&](const xeinsum::machine* m) {
        return plan_key("ij->j", notation::letters, shapes, {.machine = m});
    };
    const plan_key kept = key(&slow);
    const plan_key copy = kept;
    slow.hertz = 1;
    CHECK(copy == kept);
    CHECK(copy == key(&slow_too));
    CHECK(copy.wanted().machine->hertz == 1e9);
    CHECK_FALSE(copy == key(&slow));
    CHECK(key(&usual) == key(nullptr));
}

TEST_CASE("a key keeps the pairs of a path when the caller's are gone") {
    const std::vector<layout> shapes{row_major({2, 3}), row_major({3, 4}), row_major({4, 5})};
    std::vector<std::pair<std::size_t, std::size_t>> pairs{{1, 2}, {0, 3}};
    const options wanted{.path = xeinsum::path_strategy::numbered_pairs, .path_pairs = pairs};
    const plan_key first("ij,jk,kl->il", notation::letters, shapes, wanted);
    const plan_key copy = first;
    pairs[0] = {0, 1};
    CHECK(copy == first);
    CHECK(copy.hash() == first.hash());
    const std::vector<layout_view> views(shapes.begin(), shapes.end());
    CHECK_FALSE(copy == plan_key_view{"ij,jk,kl->il", notation::letters, views, &wanted});
    CHECK(copy.wanted().path_pairs[0].first == 1);
}
