// Attention as networks store it, all heads packed into one axis: "b n (h d), b m (h d) -> b h n m"
// reads them where they lie, and the pooled result of "b (n 2) c -> b n c" takes pairs of tokens.
#include "support/arrays.hpp"
#include "support/checks.hpp"

#include <xeinsum/compiled.hpp>
#include <xeinsum/xeinsum.hpp>

#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <iostream>

namespace {

using array_3 = xt::xtensor<float, 3>;
using array_4 = xt::xtensor<float, 4>;

/// softmax(scale * row) over the keys, in the words of patterns.
array_4 softmax(const array_4& scores, float scale) {
    using xeinsum::reduction;
    const std::size_t keys = scores.shape()[3];
    const auto largest = xeinsum::repeat<"b h n -> b h n m">(
        xeinsum::reduce<"b h n m -> b h n", reduction::max>(scores), xeinsum::axis<"m">(keys));
    const array_4 powers = xt::exp(scale * (scores - largest));
    const auto sum = xeinsum::repeat<"b h n -> b h n m">(
        xeinsum::reduce<"b h n m -> b h n", reduction::sum>(powers), xeinsum::axis<"m">(keys));
    return powers / sum;
}

}  // namespace

int main() {
    using xeinsum::axis;
    using xeinsum::einsum;
    using xeinsum::rearrange;
    constexpr std::size_t batch = 2, tokens = 48, heads = 6, depth = 16;
    const array_3 q = example::values<3>({batch, tokens, heads * depth}, 1);
    const array_3 k = example::values<3>({batch, tokens, heads * depth}, 2);
    const array_3 v = example::values<3>({batch, tokens, heads * depth}, 3);

    const auto scores = einsum<"b n (h d), b m (h d) -> b h n m">(q, k, axis<"h">(heads));
    const array_4 weights = softmax(scores, 1 / std::sqrt(static_cast<float>(depth)));
    const auto context = einsum<"b h n m, b m (h d) -> b n (h d)">(weights, v, axis<"h">(heads));
    const auto pooled = xeinsum::reduce<"b (n 2) c -> b n c", xeinsum::reduction::mean>(context);

    // The same with the heads taken apart first: copies that the calls above do without.
    const auto split = [](const array_3& x) {
        return rearrange<"b n (h d) -> b h n d">(x, axis<"h">(heads));
    };
    example::checks check;
    check.against_reference("bhnd,bhmd->bhnm", scores, split(q), split(k));
    check.against_reference("bhnm,bhmd->bhnd", split(context), weights, split(v));
    check.require("rearrange there and back changes nothing",
                  rearrange<"b h n d -> b n (h d)">(split(q)) == q);
    check.require("a pair of tokens makes one",
                  pooled(1, 3, 5) == (context(1, 6, 5) + context(1, 7, 5)) / 2);

    try {
        static_cast<void>(xeinsum::einsum("b n (h d), b m (h d) -> b h n m", q, k, axis("h", 7)));
    } catch (const xeinsum::einsum_error& e) {
        std::cout << e.what() << '\n';
        return check.exit_code();
    }
    return EXIT_FAILURE;
}
