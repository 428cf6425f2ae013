#include <xeinsum/grouped_einsum.hpp>

#include <xeinsum/reference/bound.hpp>
#include <xeinsum/reference/einsum.hpp>

#include "support/arrays.hpp"
#include "support/error_of.hpp"
#include "support/shared_calls.hpp"
#include "support/views.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <type_traits>
#include <vector>

using support::fractions;
using support::reshaped;
using xeinsum::axis;
using xeinsum::einsum;
using xeinsum::einsum_to;
using xeinsum::error_code;
using xeinsum::scale;
namespace reference = xeinsum::reference;

namespace {

using shape = std::vector<std::size_t>;

/// Compares with the reference of an equation without groups on operands without them.
void check(const xt::xarray<float>& found, const char* flat,
           const std::vector<xt::xarray<float>>& operands, const shape& extents) {
    REQUIRE(shape(found.shape().begin(), found.shape().end()) == extents);
    const auto expected = reshaped(reference::einsum(flat, operands), extents);
    const xt::xarray<double> bound = reference::bound(flat, operands);
    xt::xarray<double> same_shape = bound;
    same_shape.reshape(extents);
    CHECK(reference::worst_ratio(found, expected, same_shape) <= 1);
}

}  // namespace

TEST_CASE("heads beside the depth: scores, context and projection") {
    const auto q = fractions({2, 5, 12}, 1);
    const auto k = fractions({2, 7, 12}, 2);
    const xt::xtensor<float, 3> q3 = q;
    const xt::xtensor<float, 3> k3 = k;
    const std::vector<xt::xarray<float>> flat{reshaped(q, {2, 5, 3, 4}), reshaped(k, {2, 7, 3, 4})};
    const auto scores = einsum<"b n (h d), b m (h d) -> b h n m">(q3, k3, axis<"h">(3));
    static_assert(std::is_same_v<decltype(scores), const xt::xtensor<float, 4>>);
    check(scores, "bnhd,bmhd->bhnm", flat, {2, 3, 5, 7});
    check(einsum("b n (h d), b m (h d) -> b h n m", q, k, axis("d", 4)), "bnhd,bmhd->bhnm", flat,
          {2, 3, 5, 7});
    // The output is grouped too; the number of heads follows from the scores.
    const auto context = einsum<"b h n m, b m (h d) -> b n (h d)">(scores, k3, axis<"d">(4));
    check(context, "bhnm,bmhd->bnhd", {scores, flat[1]}, {2, 5, 12});
    const auto weight = fractions({9, 12}, 3);
    check(einsum<"b n (h d), e (h d) -> h b n e">(q, weight, axis<"h">(3)), "bnhd,ehd->hbne",
          {flat[0], reshaped(weight, {9, 3, 4})}, {3, 2, 5, 9});
}

TEST_CASE("lengths follow from other operands, from other groups, through an ellipsis") {
    const auto x = fractions({6, 10}, 4);
    const auto y = fractions({3}, 5);
    const auto z = fractions({5, 2, 8}, 6);
    const std::vector<xt::xarray<float>> operands{x, y, z};
    const auto found =
        einsum("(a b) (c d), b, c d (e f) -> (a c) f", operands, xeinsum::axis_lengths{{"e", 4}});
    check(found, "abcd,b,cdef->acf", {reshaped(x, {2, 3, 5, 2}), y, reshaped(z, {5, 2, 4, 2})},
          {10, 2});
    const auto w = fractions({4, 2, 3, 6}, 7);
    check(einsum("... (p q) -> (... q) p", w, axis("q", 2)), "abcpq->abcqp",
          {reshaped(w, {4, 2, 3, 3, 2})}, {48, 3});
}

TEST_CASE("lists of operands and of lengths, into an output that exists") {
    const auto x = fractions({4, 12}, 4);
    const auto weight = fractions({3, 2}, 5);
    const std::vector<xt::xarray<float>> operands{x, weight};
    const auto expected = einsum("n (g c), c e -> n (g e)", operands, {{"g", 4}});
    check(expected, "ngc,ce->nge", {reshaped(x, {4, 4, 3}), weight}, {4, 8});
    xt::xtensor<float, 2> out = fractions({4, 8}, 6);
    const xt::xtensor<float, 2> before = out;
    einsum_to("n (g c), c e -> n (g e)", out, scale{2, -1}, operands, {{"g", 4}});
    CHECK(xt::allclose(out, 2 * expected - before, 1e-5, 1e-5));
    einsum_to("n (g c), c e -> n (g e)", out, operands, {{"c", 3}, {"g", 4}});
    CHECK(out == expected);
    out = before;
    einsum_to("n (g c), c e -> n (g e)", out, scale{1, 0}, operands, xeinsum::axis_lengths{},
              xeinsum::options{.threads = 2});
    CHECK(out == expected);
    // Braces without lengths are options.
    xt::xtensor<float, 2> product = fractions({4, 2}, 7);
    const std::vector<xt::xarray<float>> plain{fractions({4, 3}, 8), weight};
    einsum_to("nc,ce->ne", product, plain, {.threads = 2});
    CHECK(product == einsum("nc,ce->ne", plain, {.threads = 2}));
    einsum_to("nc,ce->ne", product, plain, {});
    CHECK(product == einsum("nc,ce->ne", plain, {}));
    out = before;
    CHECK(support::code_of([&] {
              einsum_to("n (g c), c e -> n (g e)", out, operands, {{"g", 5}});
          }) == error_code::not_divisible);
    CHECK(out == before);
}

TEST_CASE("views, any stride, and outputs that are views") {
    const auto memory = fractions({9, 30}, 8);
    const auto x = xt::view(memory, xt::range(8, 0, -2), xt::range(29, 5, -2));  // 4 x 12
    const auto weight = fractions({3, 2}, 9);
    const xt::xarray<float> copy = x;
    auto all = fractions({9, 40}, 10);
    const auto before = all;
    auto out = xt::view(all, xt::range(1, 9, 2), xt::range(30, 14, -2));  // 4 x 8
    const xt::xarray<float> old = out;
    einsum_to<"n (g c), c e -> n (g e)">(out, scale{2, -1}, x, weight, axis<"g">(4));
    const auto expected =
        reshaped(reference::einsum("ngc,ce->nge", reshaped(copy, {4, 4, 3}), weight), {4, 8});
    for (std::size_t n = 0; n < 4; ++n) {
        for (std::size_t e = 0; e < 8; ++e) {
            CHECK(out(n, e) == doctest::Approx(2 * expected(n, e) - old(n, e)).epsilon(1e-5));
        }
    }
    CHECK(all(0, 20) == before(0, 20));
    CHECK(all(1, 29) == before(1, 29));
}

TEST_CASE("beta 0 reads nothing, an overlap does not show, extents may be 0 or 1") {
    auto x = fractions({4, 6}, 11);
    const auto before = x;
    const auto weight = fractions({2, 2}, 12);
    einsum_to("n (g c), c e -> n (g e)", x, x, weight, axis("c", 2));
    check(x, "ngc,ce->nge", {reshaped(before, {4, 3, 2}), weight}, {4, 6});
    auto out = xt::xtensor<float, 2>::from_shape({4, 6});
    out.fill(std::numeric_limits<float>::quiet_NaN());
    einsum_to<"n (g c), c e -> n (g e)">(out, before, weight, axis<"c">(2));
    CHECK(out == x);
    const auto none =
        einsum("(a b) c, c -> b c", fractions({0, 3}, 1), fractions({3}, 2), axis("b", 5));
    CHECK(none == xt::zeros<float>({5, 3}));
    // An extent of 1 broadcasts against the length of its label.
    check(einsum("a (b c), b -> a c", before, fractions({1}, 3), axis("b", 3)), "abc,b->ac",
          {reshaped(before, {4, 3, 2}), fractions({1}, 3)}, {4, 2});
}

TEST_CASE("diagonals of and in groups") {
    const auto x = fractions({9, 4}, 13);
    check(einsum("(i i) a -> a", x, axis("i", 3)), "iia->a", {reshaped(x, {3, 3, 4})}, {4});
    check(einsum("(i a) b i -> b a", reshaped(x, {6, 2, 3}), axis("a", 2)), "iabi->ba",
          {reshaped(x, {3, 2, 2, 3})}, {2, 2});
}

TEST_CASE("every lowering takes groups") {
    const auto q = fractions({2, 33, 24}, 14);
    const auto k = fractions({2, 35, 24}, 15);
    int applied = 0;
    for (const auto forced : xeinsum::lowerings_in_order) {
        try {
            check(einsum("b n (h d), b m (h d) -> b n (h m)", xeinsum::options{.lowering = forced},
                         q, k, axis("h", 3)),
                  "bnhd,bmhd->bnhm", {reshaped(q, {2, 33, 3, 8}), reshaped(k, {2, 35, 3, 8})},
                  {2, 33, 105});
            ++applied;
        } catch (const xeinsum::einsum_error& e) {
            CHECK(e.code() == error_code::lowering_not_applicable);
        }
    }
    CHECK(applied >= 2);
}

TEST_CASE("what is wrong is told with its column") {
    const auto q = fractions({2, 5, 12}, 1);
    const auto k = fractions({2, 7, 10}, 2);
    const auto refuses = [](auto call, error_code code, std::size_t column) {
        const auto e = support::error_of(call);
        CHECK(e.code() == code);
        CHECK(e.column() == column);
    };
    refuses(
        [&] { static_cast<void>(einsum("b n (h d), b m (h d) -> b h n m", q, k, axis("h", 3))); },
        error_code::not_divisible, 16);
    refuses([&] { static_cast<void>(einsum("b n (h d), b m e -> b h n m", q, k, axis("e", 10))); },
            error_code::missing_length, 6);
    refuses([&] { static_cast<void>(einsum("b n c, b m e -> b n m", q, k, axis("h", 10))); },
            error_code::unknown_axis, 0);
    refuses([&] { static_cast<void>(einsum("b n (h d) -> b h n d e", q, axis("h", 3))); },
            error_code::unknown_output_label, 22);
    auto out = fractions({5, 24}, 4);
    const auto before = out;
    refuses([&] { einsum_to("b n (h d) -> n (b d h)", out, q, axis("h", 5)); },
            error_code::not_divisible, 5);
    refuses([&] { einsum_to("b n (h d) -> n (b h)", out, q, axis("h", 3)); },
            error_code::output_shape, 16);
    CHECK(out == before);
    // Without a length a group stays what it was, an error.
    refuses([&] { static_cast<void>(einsum("b_ n (h d) -> b_ n", q)); },
            error_code::unsupported_axis, 6);
}
