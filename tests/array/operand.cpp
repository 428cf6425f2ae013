#include <xeinsum/array/operand.hpp>

#include <xeinsum/array/xtensor.hpp>

#include "../support/views.hpp"

#include <doctest/doctest.h>

#include <complex>
#include <cstdint>
#include <span>
#include <vector>

namespace array = xeinsum::array;

namespace {

template <class T, class E>
array::operand<T, E> operand_of(const E& e) {
    return array::operand<T, E>(e);
}

std::vector<std::int64_t> list(std::span<const std::int64_t> s) {
    return {s.begin(), s.end()};
}

using numbers = std::vector<std::int64_t>;

}  // namespace

TEST_CASE("containers and views are read where they are") {
    xt::xarray<float> a = xt::reshape_view(xt::arange<float>(24), {2, 3, 4});
    const auto whole = operand_of<float>(a);
    CHECK(whole.data() == a.data());
    CHECK(list(whole.extents()) == numbers{2, 3, 4});
    CHECK(list(whole.strides()) == numbers{12, 4, 1});

    const auto view = xt::view(a, xt::all(), xt::range(2, 0, -1), xt::range(1, 4, 2));
    const auto part = operand_of<float>(view);
    CHECK(part.data() == a.data() + 9);
    CHECK(list(part.extents()) == numbers{2, 2, 2});
    CHECK(list(part.strides()) == numbers{12, -4, 2});

    const auto transposed = xt::transpose(a);
    const auto axes = operand_of<float>(transposed);
    CHECK(axes.data() == a.data());
    CHECK(list(axes.strides()) == numbers{1, 4, 12});

    const xt::xtensor<float, 2, xt::layout_type::column_major> columns = xt::view(a, 1);
    CHECK(list(operand_of<float>(columns).strides()) == numbers{1, 3});
}

TEST_CASE("raw memory") {
    const std::vector<double> memory{1, 2, 3, 4, 5, 6};
    const std::array<std::size_t, 2> shape{2, 3};
    const auto adapted = xt::adapt(memory.data(), memory.size(), xt::no_ownership(), shape);
    const auto o = operand_of<double>(adapted);
    CHECK(o.data() == memory.data());
    CHECK(list(o.strides()) == numbers{3, 1});
}

TEST_CASE("expressions are evaluated, once") {
    const xt::xtensor<float, 2> a = {{1, 2, 3}, {4, 5, 6}};
    int evaluations = 0;
    const auto counted = xt::make_lambda_xfunction(
        [&evaluations](float x) {
            ++evaluations;
            return 2 * x;
        },
        a);
    const auto o = operand_of<float>(counted);
    CHECK(evaluations == 6);
    CHECK(o.data()[5] == 12);
    CHECK(list(o.strides()) == numbers{3, 1});
    CHECK(evaluations == 6);
}

TEST_CASE("other element types are converted") {
    const xt::xtensor<std::int32_t, 1> a = {1, -2};
    const auto o = operand_of<std::complex<double>>(a);
    CHECK(o.data()[1] == std::complex<double>(-2));
    const auto view = xt::view(a, xt::range(1, 2));
    CHECK(operand_of<double>(view).data()[0] == -2);
}

TEST_CASE("a number is an operand without axes") {
    const double number = 2.5;
    const auto o = operand_of<float>(number);
    CHECK(o.data()[0] == 2.5F);
    CHECK(o.extents().empty());
}

TEST_CASE("ranks known at run time may be long") {
    xt::xarray<float> a = xt::ones<float>(std::vector<std::size_t>(20, 1));
    CHECK(operand_of<float>(a).extents().size() == 20);
}

TEST_CASE("an array in place speaks for itself") {
    xt::xtensor<float, 2> a = xt::reshape_view(xt::arange<float>(12), {3, 4});
    const array::in_place whole(a);
    CHECK(whole.data() == a.data());
    CHECK(whole.extents()[0] == 3);
    CHECK(whole.strides()[0] == 4);
    *whole.data() = 70;
    CHECK(a(0, 0) == 70);

    const auto part = xt::view(a, xt::range(1, 3), xt::range(3, 0, -2));
    const array::in_place view(part);
    CHECK(*view.data() == 7);
    CHECK(view.extents()[1] == 2);
    CHECK(view.strides()[1] == -2);
}
