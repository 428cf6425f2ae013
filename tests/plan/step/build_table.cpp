#include <xeinsum/plan/step/build_table.hpp>

#include "../../support/both.hpp"

#include <array>
#include <cstdint>
#include <vector>

using xeinsum::index_class;
using xeinsum::label;
using xeinsum::mode_table;
using xeinsum::planning::build_table;
using xeinsum::planning::merge_axes;
using xeinsum::planning::strided_term;

TEST_CASE("a repeated label is a diagonal: its strides add up") {
    support::check_both([] {
        // "iij" on (3,3,4) row-major
        constexpr std::array<label, 3> axes{0, 0, 1};
        constexpr std::array<std::int64_t, 3> extents{3, 3, 4};
        constexpr std::array<std::int64_t, 3> strides{12, 4, 1};
        xeinsum::fixed_vector<label, 8> labels;
        xeinsum::fixed_vector<std::int64_t, 8> merged;
        const std::size_t count = merge_axes(axes, {extents, strides}, labels, merged);
        return count == 2 && labels[0] == 0 && merged[0] == 16 && labels[1] == 1 && merged[1] == 1;
    });
}

TEST_CASE("axes of extent 1 leave no label, whatever their stride") {
    support::check_both([] {
        constexpr std::array<label, 3> axes{0, 1, 2};
        constexpr std::array<std::int64_t, 3> extents{1, 5, 1};
        constexpr std::array<std::int64_t, 3> strides{0, 1, 77};
        xeinsum::fixed_vector<label, 8> labels;
        xeinsum::fixed_vector<std::int64_t, 8> merged;
        return merge_axes(axes, {extents, strides}, labels, merged) == 1 && labels[0] == 1;
    });
}

TEST_CASE("the labels of a product become modes with classes") {
    support::check_both([] {
        // "ij,jk->ik" on (2,3) and (3,4), row-major
        constexpr std::array<label, 2> ij{0, 1}, jk{1, 2}, ik{0, 2};
        constexpr std::array<std::int64_t, 2> s3{3, 1}, s4{4, 1};
        constexpr std::array<std::int64_t, 3> extents{2, 3, 4};
        std::array<std::int64_t, 32> cells{};
        mode_table t(cells.data(), 2);
        const std::array<strided_term, 2> inputs{strided_term{ij, s3}, strided_term{jk, s4}};
        if (!build_table(t, strided_term{ik, s4}, inputs, extents) || t.size() != 3) {
            return false;
        }
        return t.output_count() == 2 && t.kind(2) == index_class::contracted && t.extent(2) == 3 &&
               t.stride(2, 0) == 0 && t.stride(2, 1) == 1 && t.stride(2, 2) == 4;
    });
}

TEST_CASE("with one input labels are free or summed") {
    support::check_both([] {
        constexpr std::array<label, 2> ij{0, 1};
        constexpr std::array<label, 1> j{1};
        constexpr std::array<std::int64_t, 2> s{5, 1};
        constexpr std::array<std::int64_t, 1> one{1};
        constexpr std::array<std::int64_t, 2> extents{4, 5};
        std::array<std::int64_t, 32> cells{};
        mode_table t(cells.data(), 1);
        const std::array<strided_term, 1> inputs{strided_term{ij, s}};
        return build_table(t, strided_term{j, one}, inputs, extents) && t.size() == 2 &&
               t.kind(0) == index_class::lhs_free && t.kind(1) == index_class::lhs_only;
    });
}

TEST_CASE("a nest with more iterations than 64 bits count is no nest") {
    support::check_both([] {
        constexpr std::array<label, 2> ij{0, 1}, kl{2, 3};
        constexpr std::array<std::int64_t, 2> s{0, 0};
        constexpr std::array<std::int64_t, 4> extents{1LL << 20, 1LL << 20, 1LL << 20, 1LL << 3};
        std::array<std::int64_t, 32> cells{};
        mode_table t(cells.data(), 2);
        const std::array<strided_term, 2> inputs{strided_term{ij, s}, strided_term{kl, s}};
        return !build_table(t, strided_term{}, inputs, extents);
    });
}
