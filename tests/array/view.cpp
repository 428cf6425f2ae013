#include <xeinsum/array/view.hpp>

#include <xeinsum/compiled.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace array = xeinsum::array;
using xeinsum::view;

namespace {

/// As much of std::mdspan as calls ask for; columns lie one after the other.
template <class T>
struct by_columns {
    using mapping_type = int;
    using element_type = T;
    using value_type = std::remove_const_t<T>;
    using reference = T&;

    static constexpr std::size_t rank() { return 2; }
    static constexpr bool is_always_strided() { return true; }
    [[nodiscard]] T* const& data_handle() const { return first; }
    [[nodiscard]] int extent(std::size_t axis) const { return axis == 0 ? rows : columns; }
    [[nodiscard]] int stride(std::size_t axis) const { return axis == 0 ? 1 : rows; }

    T* first;
    int rows;
    int columns;
};

/// Such an array whose elements are no references.
struct proxies : by_columns<float> {
    using reference = float;
};

template <class Axes>
std::vector<std::int64_t> list(const Axes& a) {
    return {a.begin(), a.end()};
}
using numbers = std::vector<std::int64_t>;

}  // namespace

TEST_CASE("a view of known rank copies what it is given, whatever integers they are") {
    float x[24];
    const view dense{x, {2, 3, 4}};
    CHECK(dense.data() == x);
    CHECK(list(dense.extents()) == numbers{2, 3, 4});
    CHECK(list(dense.strides()) == numbers{12, 4, 1});
    const std::size_t columns = 3;
    CHECK(list(view{x, {columns, std::size_t{2}}}.strides()) == numbers{2, 1});
    CHECK(list(view{x, {2, columns}}.strides()) == numbers{3, 1});
    const view by_columns{x, {columns, std::size_t{2}}, {1, columns}};
    CHECK(list(by_columns.extents()) == numbers{3, 2});
    CHECK(list(by_columns.strides()) == numbers{1, 3});
    const std::array<unsigned, 2> extents{2, 3};
    const std::array<short, 2> strides{-1, 7};
    const view strided{x, extents, strides};
    CHECK(list(strided.extents()) == numbers{2, 3});
    CHECK(list(strided.strides()) == numbers{-1, 7});
    CHECK(list(view{x, {5}, {2}}.strides()) == numbers{2});
    CHECK(view{x}.extents().empty());
    static_assert(std::is_same_v<decltype(view{x}), view<float, 0>>);
    static_assert(std::is_same_v<decltype(view{x, {2, 3}}), view<float, 2>>);
    static_assert(std::is_same_v<decltype(view{x, extents, strides}), view<float, 2>>);
    static_assert(array::rank_of<view<float, 2>> == 2);
}

TEST_CASE("a view of a rank known at run time refers to its lists") {
    const float x[6]{};
    const std::vector<std::int64_t> extents{2, 3};
    const std::vector<std::int64_t> strides{3, 1};
    const view dynamic{x, extents, strides};
    static_assert(std::is_same_v<decltype(dynamic), const view<const float>>);
    CHECK(dynamic.extents().data() == extents.data());
    CHECK(dynamic.strides().data() == strides.data());
    static_assert(array::rank_of<view<float>> == array::dynamic_rank);
    // Lists in braces would be gone.
    static_assert(
        !std::is_constructible_v<view<float>, float*, std::int64_t(&&)[2], std::int64_t(&&)[2]>);
}

TEST_CASE("what is an array of others, and what is not") {
    static_assert(array::strided<view<const float>>);
    static_assert(array::strided<by_columns<float>>);
    static_assert(array::writable_as<by_columns<float>, float>);
    static_assert(!array::writable_as<by_columns<const float>, float>);
    static_assert(!array::expression<proxies>);
    static_assert(!array::expression<std::vector<float>>);
    static_assert(array::operand_range<std::vector<view<const float>>>);
    CHECK(array::rank_of<by_columns<float>> == 2);
}

TEST_CASE("views, spans and arrays of xtensor in one call, and in the reference") {
    const std::vector<float> x{1, 2, 3, 4, 5, 6};
    const std::vector<float> y{1, 0, 2, 7, 0, 1, 3, 8, 5, 4, 0, 9};
    const xt::xtensor<float, 2> b{{1, 0, 2, 7}, {0, 1, 3, 8}, {5, 4, 0, 9}};
    const xt::xtensor<float, 2> product{{16, 14, 8, 50}, {34, 29, 23, 122}};
    const view lhs{x.data(), {2, 3}};
    CHECK(xeinsum::einsum<"ij,jk->ik">(lhs, b) == product);
    CHECK(xeinsum::einsum("ij,jk->ik", lhs, view{y.data(), {3, 4}}) == product);
    CHECK(xeinsum::reference::einsum("ij,jk->ik", lhs, view{y.data(), {3, 4}}) == product);
    CHECK(xeinsum::reference::bound("ij,jk->ik", lhs, b)(1, 3) > 0);
    const view wrong{x.data(), {2, -3}};
    CHECK_THROWS_AS(static_cast<void>(xeinsum::reference::einsum("ij->i", wrong)),
                    xeinsum::einsum_error);
    std::vector<float> columns(8);
    const by_columns<float> out{columns.data(), 2, 4};
    xeinsum::einsum_to<"ij,jk->ik">(out, lhs, b);
    CHECK(columns == std::vector<float>{16, 34, 14, 29, 8, 23, 50, 122});
    xeinsum::einsum_to("ki->ik", view{columns.data(), {4, 2}}, product);
    CHECK(columns == std::vector<float>{16, 34, 14, 29, 8, 23, 50, 122});
    const by_columns<const float> turned{columns.data(), 2, 4};
    CHECK(xeinsum::reduce<"i k -> i", xeinsum::reduction::sum>(turned) ==
          xt::xtensor<float, 1>{88, 208});
}
