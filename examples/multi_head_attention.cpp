// Attention with the heads in either position: scores "bhqd,bhkd->bhqk" or "bqhd,bkhd->bhqk", a
// softmax that does not overflow, and the context; no operand is transposed beforehand.
#include "support/arrays.hpp"
#include "support/checks.hpp"
#include "support/measure.hpp"
#include "support/table.hpp"

#include <xeinsum/compiled.hpp>
#include <xeinsum/einsum.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <iostream>
#include <limits>
#include <string>

namespace {

using xt::all;
using xt::range;
using array_4 = xt::xtensor<float, 4>;

/// The same numbers with axes 1 and 2 exchanged: "bqhd" as "bhqd".
array_4 exchange_inner(const array_4& a) {
    const auto& shape = a.shape();
    auto exchanged = array_4::from_shape({shape[0], shape[2], shape[1], shape[3]});
    for (std::size_t b = 0; b < shape[0]; ++b) {
        for (std::size_t h = 0; h < shape[2]; ++h) {
            xt::view(exchanged, b, h) = xt::view(a, b, all(), h);
        }
    }
    return exchanged;
}

/// softmax(scale * row) of each row over the last axis. The largest element is taken off first:
/// exp() of what is left is at most 1.
void softmax(array_4& scores, float scale) {
    const std::size_t keys = scores.shape()[3];
    for (float* row = scores.data(); row != scores.data() + scores.size(); row += keys) {
        const float largest = *std::max_element(row, row + keys);
        float sum = 0;
        for (std::size_t k = 0; k < keys; ++k) {
            row[k] = std::exp(scale * (row[k] - largest));
            sum += row[k];
        }
        for (std::size_t k = 0; k < keys; ++k) {
            row[k] /= sum;
        }
    }
}

}  // namespace

int main(int argc, char** argv) {
    using xeinsum::einsum;
    const bool quick = example::is_quick(argc, argv);
    const std::size_t batch = 2, heads = quick ? 3 : 8, queries = quick ? 10 : 192;
    const std::size_t keys = quick ? 12 : 256, depth = quick ? 8 : 64;
    const float scale = 1 / std::sqrt(static_cast<float>(depth));

    // As a projection leaves them: the heads beside the depth.
    const array_4 q = example::values<4>({batch, queries, heads, depth}, 1);
    const array_4 k = example::values<4>({batch, keys, heads, depth}, 2);
    const array_4 v = example::values<4>({batch, keys, heads, depth}, 3);
    // The heads beside the batch, as batched products want them.
    const array_4 q_heads_first = exchange_inner(q), k_heads_first = exchange_inner(k),
                  v_heads_first = exchange_inner(v);

    const array_4 scores = einsum<"bqhd,bkhd->bhqk">(q, k);
    const array_4 scores_heads_first = einsum<"bhqd,bhkd->bhqk">(q_heads_first, k_heads_first);
    array_4 weights = scores, weights_heads_first = scores_heads_first;
    softmax(weights, scale);
    softmax(weights_heads_first, scale);
    const array_4 context = einsum<"bhqk,bkhd->bqhd">(weights, v);
    const array_4 context_heads_first =
        einsum<"bhqk,bhkd->bhqd">(weights_heads_first, v_heads_first);

    example::checks check;
    auto last = range(batch - 1, batch), some = range(queries - 4, queries);
    const array_4 some_q = xt::view(q, last, some), last_k = xt::view(k, last),
                  last_v = xt::view(v, last);
    const array_4 some_q_heads_first = xt::view(q_heads_first, last, all(), some),
                  last_k_heads_first = xt::view(k_heads_first, last),
                  last_v_heads_first = xt::view(v_heads_first, last);
    const array_4 some_weights = xt::view(weights, last, all(), some),
                  some_weights_heads_first = xt::view(weights_heads_first, last, all(), some);
    check.against_reference("bqhd,bkhd->bhqk", array_4(xt::view(scores, last, all(), some)), some_q,
                            last_k);
    check.against_reference("bhqd,bhkd->bhqk",
                            array_4(xt::view(scores_heads_first, last, all(), some)),
                            some_q_heads_first, last_k_heads_first);
    check.against_reference("bhqk,bkhd->bqhd", array_4(xt::view(context, last, some)), some_weights,
                            last_v);
    check.against_reference("bhqk,bhkd->bhqd",
                            array_4(xt::view(context_heads_first, last, all(), some)),
                            some_weights_heads_first, last_v_heads_first);
    check.same("scores of both layouts", scores, scores_heads_first, depth, 1);

    // How far the contexts may be apart. Scores that differ by d change a weight by a factor of at
    // most exp(2 d scale). In float, exp() brings two roundings of its argument and four of its own
    // (two units in the last place), to a weight and to the sum that divides it; the sum and the
    // division bring one for each key, and so does the context. Weights add up to 1 and values are
    // at most 1, so a relative error of weights is an absolute one of contexts.
    const double unit = static_cast<double>(std::numeric_limits<float>::epsilon()) / 2;
    const double d = example::checks::distance(scores, scores_heads_first);
    const double argument = 2 * static_cast<double>(depth) * static_cast<double>(scale);
    const double roundings = 2 * (2 * argument + 4) + 2 * static_cast<double>(keys);
    const double bound =
        1.01 * (std::expm1(2 * d * static_cast<double>(scale)) + 2 * unit * roundings);
    check.report("contexts of both layouts",
                 example::checks::distance(exchange_inner(context), context_heads_first) / bound);

    const std::array<std::function<void()>, 4> variants{
        [&] { static_cast<void>(einsum<"bqhd,bkhd->bhqk">(q, k)); },
        [&] { static_cast<void>(einsum<"bhqd,bhkd->bhqk">(q_heads_first, k_heads_first)); },
        [&] { static_cast<void>(einsum<"bhqk,bkhd->bqhd">(weights, v)); },
        [&] { static_cast<void>(einsum<"bhqk,bhkd->bhqd">(weights, v_heads_first)); },
    };
    const auto m = example::measure(variants);
    const std::array<const char*, 4> equations{"bqhd,bkhd->bhqk", "bhqd,bhkd->bhqk",
                                               "bhqk,bkhd->bqhd", "bhqk,bhkd->bhqd"};
    const double flops = 2.0 * static_cast<double>(batch * heads * queries * keys * depth);
    example::table table({"equation", "time", "Gflop/s", "peak memory"});
    for (std::size_t i = 0; i < m.size(); ++i) {
        table.add({equations[i], example::milliseconds(m[i].seconds),
                   std::to_string(static_cast<int>(flops / m[i].seconds / 1e9)),
                   example::megabytes(m[i].peak_bytes)});
    }
    std::cout << "\nbatch " << batch << ", " << heads << " heads, " << queries << " queries, "
              << keys << " keys, depth " << depth << '\n'
              << table;
    return check.exit_code();
}
