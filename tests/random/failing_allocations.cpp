// Memory that runs out at every place where it can: of "ij,jk,kl->il", say, the first, the second,
// the third allocation fails, and so on. The call ends in std::bad_alloc, the output is what it
// was, and nothing is lost.
#include "../support/allocations.hpp"
#include "../support/arrays.hpp"
#include "../support/shared_calls.hpp"
#include "../support/shared_emission.hpp"
#include "../support/shared_folds.hpp"

#include <xeinsum/emit.hpp>
#include <xeinsum/xeinsum.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <new>
#include <string>
#include <utility>
#include <vector>

using support::numbers;
using xeinsum::options;
using xeinsum::path_strategy;
using xeinsum::scale;

namespace {

/// Makes a call with its nth allocation failing, for every n that it has, and returns their number.
/// After each failure, check() says whether all is as before.
template <class Call, class Check>
std::size_t fail_each_allocation(Call call, Check check) {
    call();  // what is made once for all calls
    for (std::size_t n = 1;; ++n) {
        CAPTURE(n);
        const std::size_t live = support::live_allocations();
        bool happened = false;
        bool thrown = false;
        {
            const support::failing_allocation nth(n);
            try {
                call();
            } catch (const std::bad_alloc&) {
                thrown = true;
            }
            happened = nth.happened();
        }
        REQUIRE(support::live_allocations() == live);
        if (!happened) {
            CHECK_FALSE(thrown);
            return n - 1;
        }
        // Algorithms such as std::stable_sort do without memory that they do not get.
        if (thrown) {
            REQUIRE(check());
        }
    }
}
template <class Call>
std::size_t fail_each_allocation(Call call) {
    return fail_each_allocation(call, [] { return true; });
}

using arrays = std::vector<xt::xarray<float>>;
using shapes = std::vector<std::vector<std::size_t>>;

const arrays& matrices() {
    static const arrays list{numbers({40, 50}), numbers({50, 60}, 3), numbers({60, 30}, 5)};
    return list;
}
constexpr const char* chain = "ij,jk,kl->il";
const shapes chain_shapes{{40, 50}, {50, 60}, {60, 30}};

/// The ways to look for a path, and a limit that makes slices.
std::vector<options> searches() {
    static const std::vector<std::pair<std::size_t, std::size_t>> pairs{{1, 2}, {0, 3}};
    std::vector<options> list;
    for (const path_strategy path :
         {path_strategy::automatic, path_strategy::optimal, path_strategy::greedy,
          path_strategy::random_greedy, path_strategy::fused, path_strategy::numbered_pairs}) {
        options wanted{.path = path, .path_restarts = 6};
        wanted.path_pairs = pairs;
        list.push_back(wanted);
    }
    list.push_back({.memory_limit = 400 * sizeof(float)});
    return list;
}

}  // namespace

TEST_CASE("einsum that gets no memory loses nothing") {
    for (const options& wanted : searches()) {
        CAPTURE(static_cast<int>(wanted.path));
        const auto call = [&] { static_cast<void>(xeinsum::einsum(chain, matrices(), wanted)); };
        CHECK(fail_each_allocation(call) > 3);
    }
    const arrays& m = matrices();
    // A workspace that the stack has no room for.
    const auto a = numbers({300, 200}), b = numbers({200, 250});
    const auto pair = [&] { static_cast<void>(xeinsum::einsum<"ij,jk->ik">(a, b)); };
    CHECK(fail_each_allocation(pair) > 0);
    const auto expression = [&] {
        static_cast<void>(xeinsum::einsum("ij,jk->ik", m[0] + m[0], m[1]));
    };
    CHECK(fail_each_allocation(expression) > 1);
}

TEST_CASE("einsum_to that gets no memory leaves the output as it was") {
    for (const options& wanted : searches()) {
        CAPTURE(static_cast<int>(wanted.path));
        xt::xarray<float> out = numbers({40, 30}, 7);
        const xt::xarray<float> before = out;
        const auto call = [&] {
            xeinsum::einsum_to(chain, out, scale{2.0F, 0.0F}, matrices(), wanted);
            out = before;  // has the memory already
        };
        CHECK(fail_each_allocation(call, [&] { return out == before; }) > 3);
    }
    // Over an operand, by way of memory for the result.
    xt::xarray<float> square = numbers({90, 90});
    const xt::xarray<float> before = square;
    const auto over = [&] {
        xeinsum::einsum_to("ij,jk->ik", square, scale{1, 1}, square, square);
        square = before;
    };
    CHECK(fail_each_allocation(over, [&] { return square == before; }) > 0);
    // Into numbers of another type, by way of an array.
    xt::xarray<double> wide = numbers<double>({40, 30}, 7);
    const xt::xarray<double> wide_before = wide;
    const auto converted = [&] {
        xeinsum::einsum_to(chain, wide, scale{1.0, 1.0}, matrices());
        wide = wide_before;
    };
    CHECK(fail_each_allocation(converted, [&] { return wide == wide_before; }) > 3);
}

TEST_CASE("plans that get no memory lose nothing") {
    for (const options& wanted : searches()) {
        CAPTURE(static_cast<int>(wanted.path));
        const auto make = [&] {
            static_cast<void>(xeinsum::make_plan<float>(chain, chain_shapes, wanted));
        };
        CHECK(fail_each_allocation(make) > 3);
        const auto plan = xeinsum::make_plan<float>(chain, chain_shapes, wanted);
        const auto bind = [&] {
            static_cast<void>(plan.bind(1, matrices()[1]).bind(2, matrices()[2]));
        };
        CHECK(fail_each_allocation(bind) > 10);
        xt::xarray<float> out = numbers({40, 30}, 7);
        const xt::xarray<float> before = out;
        auto memory = plan.make_workspace();
        const auto run = [&] {
            plan.run(out, memory, matrices());
            out = before;
        };
        CHECK(fail_each_allocation(run, [&] { return out == before; }) > 3);
    }
    const auto plan = xeinsum::make_plan<float>(chain, chain_shapes);
    for (const auto to : {xeinsum::target::numpy, xeinsum::target::onnx_text}) {
        const auto emit = [&] { static_cast<void>(plan.emit(to)); };
        CHECK(fail_each_allocation(emit) > 10);
    }
}

TEST_CASE("a cache that gets no memory still works") {
    const arrays& m = matrices();
    std::size_t right = 0;
    const auto look_up = [&] {
        xeinsum::plan_cache<float> cache(2);
        const auto call = [&](const char* equation) {
            static_cast<void>(xeinsum::einsum(cache, equation, m[0], m[1]));
        };
        try {
            call("ij,jk->ik");
            call("ij,jk->ki");
        } catch (const std::bad_alloc&) {
            // With memory again: what it says that it holds it finds, the rest it plans.
            bool finds = true;
            for (const char* equation : {"ij,jk->ik", "ij,jk->ki"}) {
                const std::size_t size = cache.size(), hits = cache.hits();
                call(equation);
                finds = finds && (cache.hits() > hits) == (cache.size() == size);
            }
            call("ij,jk->i");
            right += finds && cache.size() == 2 ? 1 : 0;
            throw;
        }
    };
    const std::size_t failures = fail_each_allocation(look_up);
    CHECK(failures > 20);
    CHECK(right == failures);
}

TEST_CASE("equations and patterns that get no memory lose nothing") {
    using xeinsum::equation;
    const auto labels = [] {
        static_cast<void>(equation::from_labels({{0, 1}, {1, 2}}, {{0, 2}}));
    };
    CHECK(fail_each_allocation(labels) > 0);
    const std::string text = "batch row column, batch column other -> batch row other";
    const auto parse = [&] { static_cast<void>(xeinsum::parse(std::string_view(text))); };
    CHECK(fail_each_allocation(parse) > 0);
    const auto x = numbers({4, 6, 5});
    const auto rearrange = [&] {
        static_cast<void>(xeinsum::rearrange("a (b c) d -> d (a c) b", x, xeinsum::axis("b", 2)));
    };
    CHECK(fail_each_allocation(rearrange) > 0);
    xt::xarray<float> out = numbers({5, 4}, 3);
    const xt::xarray<float> before = out;
    const auto reduce = [&] {
        xeinsum::reduce_to("a (b c) d -> d a", "max", out, x, xeinsum::axis("b", 2));
        out = before;
    };
    CHECK(fail_each_allocation(reduce, [&] { return out == before; }) > 0);
}
