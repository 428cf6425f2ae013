// A graph convolution over the skeleton of NTU RGB+D, "nkctv,kvw->nctw", and the equations around
// it, each beside the broadcast, multiply and sum that people write by hand.
//
// Source of partitions: Yan et al., Spatial Temporal Graph Convolutional Networks for
// Skeleton-Based Action Recognition, 2018, section 3.3, "spatial configuration partitioning".
#include "support/arrays.hpp"
#include "support/checks.hpp"
#include "support/measure.hpp"
#include "support/table.hpp"

#include <xeinsum/compiled.hpp>
#include <xeinsum/einsum.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

namespace {

using example::values;
using xt::all;
using xt::newaxis;
using xt::range;
using array_2 = xt::xtensor<float, 2>;
using array_3 = xt::xtensor<float, 3>;
using array_4 = xt::xtensor<float, 4>;
using array_5 = xt::xtensor<float, 5>;
using array_6 = xt::xtensor<float, 6>;

constexpr std::size_t joints = 25;
constexpr std::size_t centre = 21 - 1;  // between the shoulders
constexpr std::size_t partitions = 3;   // the joint itself, towards the centre, away from it

/// The bones as published: pairs of joints that count from 1.
constexpr std::array<std::pair<std::size_t, std::size_t>, 24> bones{
    {{1, 2},  {2, 21},  {3, 21},  {4, 3},   {5, 21},  {6, 5},   {7, 6},   {8, 7},
     {9, 21}, {10, 9},  {11, 10}, {12, 11}, {13, 1},  {14, 13}, {15, 14}, {16, 15},
     {17, 1}, {18, 17}, {19, 18}, {20, 19}, {22, 23}, {23, 8},  {24, 25}, {25, 12}}};

/// Bones between each joint and the centre.
std::array<std::size_t, joints> distances_to_centre() {
    std::array<std::size_t, joints> distance;
    distance.fill(joints);
    distance[centre] = 0;
    for (std::size_t round = 0; round < joints; ++round) {
        for (const auto& [a, b] : bones) {
            distance[a - 1] = std::min(distance[a - 1], distance[b - 1] + 1);
            distance[b - 1] = std::min(distance[b - 1], distance[a - 1] + 1);
        }
    }
    return distance;
}

/// adjacency(k, v, w): the weight with which joint w takes what joint v sends, if v is in
/// partition k of w's neighbours. Each column is divided by its degree: a joint takes the mean over
/// itself and its neighbours.
array_3 make_adjacency() {
    const auto distance = distances_to_centre();
    array_3 adjacency = xt::zeros<float>({partitions, joints, joints});
    const auto connect = [&](std::size_t v, std::size_t w) {
        const std::size_t k = distance[v] == distance[w] ? 0 : distance[v] < distance[w] ? 1 : 2;
        adjacency(k, v, w) = 1;
    };
    for (std::size_t v = 0; v < joints; ++v) {
        connect(v, v);
    }
    for (const auto& [a, b] : bones) {
        connect(a - 1, b - 1);
        connect(b - 1, a - 1);
    }
    for (std::size_t w = 0; w < joints; ++w) {
        float degree = 0;
        for (std::size_t k = 0; k < partitions; ++k) {
            for (std::size_t v = 0; v < joints; ++v) {
                degree += adjacency(k, v, w);
            }
        }
        for (std::size_t k = 0; k < partitions; ++k) {
            for (std::size_t v = 0; v < joints; ++v) {
                adjacency(k, v, w) /= degree;
            }
        }
    }
    return adjacency;
}

// By hand: bring both operands to one shape, multiply, sum. The product is an array of its own.

array_4 mix_channels(const array_4& x, const array_2& w) {  // nctw,cd->ndtw
    const array_5 product = xt::view(x, all(), all(), newaxis(), all(), all()) *
                            xt::view(w, newaxis(), all(), all(), newaxis(), newaxis());
    return xt::sum(product, {1});
}

array_4 convolve(const array_5& x, const array_3& a) {  // nkctv,kvw->nctw
    const array_6 product = xt::view(x, all(), all(), all(), all(), all(), newaxis()) *
                            xt::view(a, newaxis(), all(), newaxis(), newaxis(), all(), all());
    return xt::sum(product, {1, 4});
}

array_4 attend(const array_4& weights, const array_4& x) {  // bhnm,bdhm->bdhn
    const array_5 product = xt::view(weights, all(), newaxis(), all(), all(), all()) *
                            xt::view(x, all(), all(), all(), newaxis(), all());
    return xt::sum(product, {4});
}

array_4 convolve_by_channel(const array_5& x, const array_4& a) {  // nkctv,kcvw->nctw
    const array_6 product = xt::view(x, all(), all(), all(), all(), all(), newaxis()) *
                            xt::view(a, newaxis(), all(), all(), newaxis(), all(), all());
    return xt::sum(product, {1, 4});
}

/// One equation: three measurements, and the results that belong to them.
class story {
public:
    explicit story(example::checks& check)
        : check_(check),
          table_({"equation", "einsum, whole batch", "einsum, batch 1", "by hand, batch 1",
                  "by hand / einsum", "peak of einsum", "peak by hand"}) {}

    /// whole(): the result of the batch. one(): the same of its first sample. by_hand(): likewise.
    template <class Whole, class One, class ByHand>
    void tell(const std::string& equation, std::size_t products, Whole whole, One one,
              ByHand by_hand) {
        array_4 by_einsum, multiplied;
        const std::array<std::function<void()>, 3> variants{[&] { static_cast<void>(whole()); },
                                                            [&] { by_einsum = one(); },
                                                            [&] { multiplied = by_hand(); }};
        const auto m = example::measure(variants);
        table_.add({equation, example::milliseconds(m[0].seconds),
                    example::milliseconds(m[1].seconds), example::milliseconds(m[2].seconds),
                    example::times(m[2].seconds / m[1].seconds),
                    example::megabytes(m[1].peak_bytes), example::megabytes(m[2].peak_bytes)});
        check_.same(equation + " by hand", by_einsum, multiplied, products, 1);
    }

    [[nodiscard]] const example::table& measurements() const { return table_; }

private:
    example::checks& check_;
    example::table table_;
};

}  // namespace

int main(int argc, char** argv) {
    using xeinsum::einsum;
    const bool quick = example::is_quick(argc, argv);
    const std::size_t batch = quick ? 2 : 8, channels = quick ? 4 : 64, frames = quick ? 6 : 150;
    const std::size_t out_channels = quick ? 5 : 48;
    const std::size_t heads = 8, head_channels = quick ? 3 : 16;

    const array_3 adjacency = make_adjacency();
    std::cout << "skeleton: " << joints << " joints; edges in the partitions self, towards the "
              << "centre, away from it:";
    for (std::size_t k = 0; k < partitions; ++k) {
        std::size_t edges = 0;
        for (const float weight : xt::view(adjacency, k)) {
            edges += weight != 0 ? 1U : 0U;
        }
        std::cout << ' ' << edges;
    }
    std::cout << "\nx: batch " << batch << ", " << partitions << " partitions, " << channels
              << " channels, " << frames << " frames, " << joints << " joints\n\n";

    const array_4 features = values<4>({batch, channels, frames, joints}, 1);
    const array_2 mixing = values<2>({channels, out_channels}, 2);
    const array_5 x = values<5>({batch, partitions, channels, frames, joints}, 3);
    // Frames attend to frames; a head's softmax would have made the weights.
    const array_4 weights = values<4>({batch, heads, frames, frames}, 4);
    const array_4 attended = values<4>({batch, head_channels, heads, frames}, 5);
    const array_4 by_channel = values<4>({partitions, channels, joints, joints}, 6);

    const array_4 first_features = xt::view(features, range(0, 1));
    const array_5 first_x = xt::view(x, range(0, 1));
    const array_4 first_weights = xt::view(weights, range(0, 1));
    const array_4 first_attended = xt::view(attended, range(0, 1));

    example::checks check;
    story s(check);
    s.tell(
        "nctw,cd->ndtw", channels, [&] { return einsum<"nctw,cd->ndtw">(features, mixing); },
        [&] { return einsum<"nctw,cd->ndtw">(first_features, mixing); },
        [&] { return mix_channels(first_features, mixing); });
    s.tell(
        "nkctv,kvw->nctw", partitions * joints,
        [&] { return einsum<"nkctv,kvw->nctw">(x, adjacency); },
        [&] { return einsum<"nkctv,kvw->nctw">(first_x, adjacency); },
        [&] { return convolve(first_x, adjacency); });
    s.tell(
        "bhnm,bdhm->bdhn", frames, [&] { return einsum<"bhnm,bdhm->bdhn">(weights, attended); },
        [&] { return einsum<"bhnm,bdhm->bdhn">(first_weights, first_attended); },
        [&] { return attend(first_weights, first_attended); });
    s.tell(
        "nkctv,kcvw->nctw", partitions * joints,
        [&] { return einsum<"nkctv,kcvw->nctw">(x, by_channel); },
        [&] { return einsum<"nkctv,kcvw->nctw">(first_x, by_channel); },
        [&] { return convolve_by_channel(first_x, by_channel); });

    // The reference takes its time: it judges some frames of the last sample of the whole batch.
    auto sample = range(batch - 1, batch);
    auto some = range(frames - 3, frames);
    const array_4 last_features = xt::view(features, sample, all(), some);
    const array_5 last_x = xt::view(x, sample, all(), all(), some);
    const array_4 last_weights = xt::view(weights, sample, all(), some);
    const array_4 last_attended = xt::view(attended, sample);
    check.against_reference(
        "nctw,cd->ndtw",
        array_4(xt::view(einsum<"nctw,cd->ndtw">(features, mixing), sample, all(), some)),
        last_features, mixing);
    check.against_reference(
        "nkctv,kvw->nctw",
        array_4(xt::view(einsum<"nkctv,kvw->nctw">(x, adjacency), sample, all(), some)), last_x,
        adjacency);
    check.against_reference(
        "bhnm,bdhm->bdhn",
        array_4(xt::view(einsum<"bhnm,bdhm->bdhn">(weights, attended), sample, all(), all(), some)),
        last_weights, last_attended);
    check.against_reference(
        "nkctv,kcvw->nctw",
        array_4(xt::view(einsum<"nkctv,kcvw->nctw">(x, by_channel), sample, all(), some)), last_x,
        by_channel);

    std::cout << '\n' << s.measurements();
    std::cout << "  by hand at batch 1 only: at batch " << batch
              << " the product of the second equation takes "
              << example::megabytes(x.size() * joints * sizeof(float)) << '\n';
    return check.exit_code();
}
