// Calls on elements that xeinsum::compiled lacks, whose kernels each file compiles: narrow and wide
// numbers, truth values and types of the user's, such as "ij,jk->ik" of numbers of any length.
#include "support/arrays.hpp"
#include "support/brain_float.hpp"
#include "support/digits.hpp"
#include "support/element_checks.hpp"
#include "support/error_of.hpp"
#include "support/shared_kernels.hpp"

#include <xeinsum/xeinsum.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <type_traits>

using support::code_of;
using support::digits;
using support::numbers;
using xeinsum::einsum;
using xeinsum::einsum_to;
using xeinsum::error_code;
using xeinsum::make_plan;
using xeinsum::rearrange;
using xeinsum::scale;
namespace reference = xeinsum::reference;

TEST_CASE_TEMPLATE("element types", T, long double, std::int8_t, std::uint16_t, std::uint64_t) {
    support::check_calls<T>();
}

TEST_CASE("narrow integers into a wide output are summed in its type") {
    const xt::xarray<std::int8_t> a = {{100, -128, 127}, {5, 1, -128}};
    const xt::xarray<std::int8_t> b = {{127, 2}, {-128, 3}, {127, 1}};
    const xt::xarray<std::int32_t> expected = {{100 * 127 + 128 * 128 + 127 * 127, 200 - 384 + 127},
                                               {5 * 127 - 128 - 128 * 127, 10 + 3 - 128}};
    xt::xarray<std::int32_t> wide = xt::zeros<std::int32_t>({2, 2});
    einsum_to<"ij,jk->ik">(wide, a, b);
    CHECK(wide == expected);
    einsum_to("ij,jk->ik", wide, scale{2, 1}, a, b);
    CHECK(wide == 3 * expected);
    // The type of both operands is that of the result: summed in 32 bits, the low 8 are kept.
    const auto narrow = einsum<"ij,jk->ik">(a, b);
    static_assert(std::is_same_v<decltype(narrow)::value_type, std::int8_t>);
    CHECK(narrow(0, 0) == static_cast<std::int8_t>(100 * 127 + 128 * 128 + 127 * 127));
    // Two types meet as in C++: of int8 and uint8 that is int.
    const xt::xarray<std::uint8_t> c = {255, 255, 1};
    const auto met = einsum("ij,j->i", a, c);
    static_assert(std::is_same_v<decltype(met)::value_type, int>);
    CHECK(met == xt::xarray<int>{255 * (100 - 128) + 127, 255 * 6 - 128});
}

TEST_CASE("truth values: or of and") {
    const xt::xarray<bool> a = {{true, false}, {false, false}}, b = {{false, true}, {true, true}};
    CHECK(einsum<"ij,jk->ik">(a, b) == xt::xarray<bool>{{false, true}, {false, false}});
    CHECK(einsum("ij->i", a) == xt::xarray<bool>{true, false});
}

TEST_CASE("narrow types are summed in a wider one") {
    using support::brain_float;
    xt::xarray<brain_float> ones = xt::xarray<brain_float>::from_shape({1000});
    for (auto& x : ones.storage()) {
        x = brain_float(1.0F);
    }
    // In eight bits of precision 256 + 1 is 256.
    CHECK(static_cast<float>(einsum<"i->">(ones)()) == 1000);
    CHECK(static_cast<float>(einsum("i,i->", ones, ones)()) == 1000);
    xt::xarray<std::int8_t> bytes = xt::ones<std::int8_t>({4});
    bytes *= 100;
    CHECK(einsum("i,->", bytes, std::int8_t{1})() == static_cast<std::int8_t>(400));
}

TEST_CASE("narrow floats summed in their own precision (numpy#20305, numpy#10899)") {
    using support::brain_float;
    xt::xarray<brain_float> a = xt::xarray<brain_float>::from_shape({1024});
    for (auto& x : a.storage()) {
        x = brain_float(0.0625F);
    }
    // 1024 / 256; in eight bits of precision the sum stops growing at 1.
    CHECK(static_cast<float>(einsum("i,i->", a, a)()) == 4.0F);
    const auto b = support::numbers<std::int8_t>({30}),
               c = support::numbers<std::int8_t>({40, 30}, 1);
    CHECK(einsum("i,ji->", b, c)() == reference::einsum("i,ji->", b, c)());
}

TEST_CASE("a narrow sum that sticks (executorch#20090, mlx#3909, jittor#18018)") {
    using support::brain_float;
    xt::xarray<brain_float> ones = xt::xarray<brain_float>::from_shape({300, 2});
    for (auto& x : ones.storage()) {
        x = brain_float(1.0F);
    }
    const auto sums = einsum("ij->j", ones);
    CHECK(static_cast<float>(sums(0)) == 300);
    CHECK(static_cast<float>(einsum("ij,ij->", ones, ones)()) == 600);
    // Memory that was never written must not be added: NaN, or 1e29, would remain.
    xt::xarray<brain_float> out = xt::xarray<brain_float>::from_shape({2});
    out.fill(brain_float(1e29F));
    einsum_to("ij->j", out, ones);
    CHECK(static_cast<float>(out(1)) == 300);
}

TEST_CASE("offsets beyond 32 bits (pytorch#197636)") {
    // Elements 3 * 2^30 apart: only the ends of the memory are touched.
    constexpr std::ptrdiff_t far = std::ptrdiff_t{3} << 30U;
    auto memory = std::make_unique_for_overwrite<std::int8_t[]>(static_cast<std::size_t>(far) + 8);
    for (std::ptrdiff_t i = 0; i < 8; ++i) {
        memory[static_cast<std::size_t>(i)] = memory[static_cast<std::size_t>(far + i)] = 0;
    }
    memory[1] = 5;
    memory[static_cast<std::size_t>(far) + 1] = 7;
    auto flat = xt::adapt(memory.get(), static_cast<std::size_t>(far) + 8, xt::no_ownership(),
                          std::array<std::size_t, 1>{static_cast<std::size_t>(far) + 8});
    using view = xt::xstrided_view<decltype(flat)&, xt::dynamic_shape<std::size_t>,
                                   xt::layout_type::dynamic>;
    const view a(flat, xt::dynamic_shape<std::size_t>{2, 2},
                 xt::dynamic_shape<std::ptrdiff_t>{far, 1}, 0, xt::layout_type::dynamic);
    view out(flat, xt::dynamic_shape<std::size_t>{2, 2}, xt::dynamic_shape<std::ptrdiff_t>{1, far},
             4, xt::layout_type::dynamic);
    CHECK(einsum("ij->i", a) == xt::xarray<std::int8_t>{5, 7});
    einsum_to("ij->ji", out, a);
    CHECK(memory[5] == 5);
    CHECK(memory[static_cast<std::size_t>(far) + 5] == 7);
    CHECK(memory[static_cast<std::size_t>(far) + 4] == 0);
    CHECK(memory[4] == 0);
    CHECK(out(1, 1) == 7);
}

TEST_CASE("every element type has the reductions that mean something") {
    const xt::xarray<std::int8_t> narrow{100, 2, -128, 5};
    CHECK(xeinsum::reduce("a -> ", "min", narrow)() == -128);
    CHECK(xeinsum::reduce("a -> ", "prod", narrow)() ==
          static_cast<std::int8_t>(100 * 2 * -128 * 5));
    CHECK(code_of([&] { static_cast<void>(xeinsum::reduce("a -> ", "mean", narrow)); }) ==
          error_code::reduction_not_applicable);
    const xt::xarray<bool> flags{true, false, true};
    CHECK(xeinsum::reduce("a -> ", "max", flags)());
    CHECK(!xeinsum::reduce("a -> ", "prod", flags)());
    CHECK(rearrange("(a b) -> b a", flags, {{"a", 3}}).shape()[1] == 3);
}

TEST_CASE("truth values are bound, packed and folded") {
    support::check_bound_plans<bool>();
}

TEST_CASE("a type of the user's, with elements on the heap, runs in one pass") {
    const auto plan = make_plan<digits>("ij,jk->ik", {{2, 2}, {2, 2}});
    xt::xarray<digits> a = xt::xarray<digits>::from_shape({2, 2});
    xt::xarray<digits> b = a;
    for (int i = 0; i < 4; ++i) {
        a.storage()[static_cast<std::size_t>(i)] = digits(i + 1);
        b.storage()[static_cast<std::size_t>(i)] = digits(5 - 2 * i);
    }
    xeinsum::workspace memory(plan.overlap_workspace_bytes());
    plan.run(a, memory, a, b);  // in place
    CHECK(a(0, 0) == digits(1 * 5 + 2 * 1));
    CHECK(a(1, 1) == digits(3 * 3 + 4 * -1));
    CHECK(xeinsum::einsum("ij->i", b)(1) == digits(0));
}

TEST_CASE("elements with memory of their own are copied") {
    xt::xarray<digits> a = xt::xarray<digits>::from_shape({2, 2});
    xt::xarray<digits> b = a;
    for (int i = 0; i < 4; ++i) {
        a.storage()[static_cast<std::size_t>(i)] = digits(i + 1);
        b.storage()[static_cast<std::size_t>(i)] = digits(5 - 2 * i);
    }
    const auto bound = make_plan<digits>("ij,jk->ik", {{2, 2}, {2, 2}}).bind(1, b);
    b.fill(digits(0));
    auto memory = bound.make_workspace();
    xt::xarray<digits> out = a;
    bound.run(out, memory, a);
    CHECK(out(0, 0) == digits(1 * 5 + 2 * 1));
    CHECK(out(1, 1) == digits(3 * 3 + 4 * -1));
}

namespace {

/// A number whose multiplication fails after a while.
struct fragile {
    int value = 0;
    static inline int left = 0;

    fragile() = default;
    explicit fragile(int x) : value(x) {}
    fragile(const fragile& o) : value(o.value) {}
    fragile& operator=(const fragile&) = default;
    bool operator==(const fragile& o) const { return value == o.value; }
    fragile operator+(const fragile& o) const { return fragile(value + o.value); }
    fragile operator*(const fragile& o) const {
        if (left-- == 0) {
            throw std::runtime_error("broken");
        }
        return fragile(value * o.value);
    }
};

}  // namespace

TEST_CASE("nothing is written where elements throw") {
    xt::xarray<fragile> a = xt::xarray<fragile>::from_shape({3, 3});
    xt::xarray<fragile> out = a;
    int n = 0;
    for (auto& x : a.storage()) {
        x = fragile(++n);
    }
    for (auto& x : out.storage()) {
        x = fragile(77);
    }
    const xt::xarray<fragile> before = out;
    fragile::left = 20;
    CHECK_THROWS_AS(einsum_to("ij,jk->ik", out, a, a), std::runtime_error);
    CHECK(out == before);
    fragile::left = 1000;
    einsum_to("ij,jk->ik", out, a, a);
    CHECK(out(0, 0) == fragile(1 * 1 + 2 * 4 + 3 * 7));
}
