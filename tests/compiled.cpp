#include <xeinsum/compiled.hpp>

#include <doctest/doctest.h>

#include <complex>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

// budgets/compiled sees that this file has no kernels.

#define SUPPORT_COMPILED_TYPES \
    float, double, std::complex<float>, std::complex<double>, std::int32_t, std::int64_t

TEST_CASE("calls of this file leave their kernels to the library") {
    CHECK(std::is_same_v<xeinsum::detail::default_arch, xeinsum::kernel::any_cpu>);
}

TEST_CASE_TEMPLATE("calls that another file has compiled give what the reference gives", T,
                   SUPPORT_COMPILED_TYPES) {
    const xt::xtensor<T, 2> a = {{1, 2, 3}, {4, 5, 6}};
    const xt::xtensor<T, 2> b = {{1, 0, 2, 7}, {0, 1, 3, 8}, {5, 4, 0, 9}};
    const xt::xtensor<T, 2> ki = {{16, 34}, {14, 29}, {8, 23}, {50, 122}};
    CHECK(xeinsum::einsum<"ij,jk->ki">(a, b) == ki);
    CHECK(xeinsum::einsum("ij,jk->ki", a, b) == ki);
    CHECK(xeinsum::einsum("ij,jk->ki", std::vector<xt::xarray<T>>{a, b}) == ki);
    const auto plan = xeinsum::make_plan<T>("ij,jk->ki", {{2, 3}, {3, 4}}).bind(1, b);
    auto memory = plan.make_workspace();
    xt::xtensor<T, 2> out = xt::zeros<T>({4, 2});
    plan.run(out, memory, a);
    CHECK(out == ki);
    xeinsum::einsum_to<"ij,jk->ki">(out, xeinsum::scale{2, -1}, a, b);
    CHECK(out == ki);
    CHECK(xeinsum::einsum<"i j, j (k l) -> l k i">(a, b, xeinsum::axis<"l">(2))(1, 0, 1) == T(29));
    CHECK(xeinsum::einsum<"ij,jk,ki->">(a, b, ki)() ==
          xeinsum::reference::einsum("ij,jk,ki->", a, b, ki)());
}

TEST_CASE_TEMPLATE("so do axes that move, drop and come", T, SUPPORT_COMPILED_TYPES) {
    const xt::xtensor<T, 2> a = {{1, 2, 3}, {4, 5, 6}};
    CHECK(xeinsum::rearrange<"i j -> j i">(a) == xt::xtensor<T, 2>{{1, 4}, {2, 5}, {3, 6}});
    CHECK(xeinsum::rearrange("i j -> (j i)", a) == xt::xarray<T>{1, 4, 2, 5, 3, 6});
    CHECK(xeinsum::reduce<"i j -> j", xeinsum::reduction::sum>(a) == xt::xtensor<T, 1>{5, 7, 9});
    CHECK(xeinsum::reduce("i j -> i", "prod", a) == xt::xarray<T>{6, 120});
    if constexpr (std::is_arithmetic_v<T>) {
        CHECK(xeinsum::reduce<"i j -> j", xeinsum::reduction::max>(a) ==
              xt::xtensor<T, 1>{4, 5, 6});
        CHECK(xeinsum::reduce("i j -> i", "min", a) == xt::xarray<T>{1, 4});
    }
    if constexpr (!std::is_integral_v<T>) {
        CHECK(xeinsum::reduce<"i j -> i", xeinsum::reduction::mean>(a) == xt::xtensor<T, 1>{2, 5});
    }
    CHECK(xeinsum::repeat<"i j -> i j 2">(a)(1, 2, 1) == T(6));
}

TEST_CASE("small calls add up as they do where the compiler sees their kernels") {
    // Terms that lie side by side in two lines are added in vectors, if there are many.
    for (const std::size_t terms : {5U, 32U, 33U, 200U}) {
        xt::xtensor<float, 1> x = xt::zeros<float>({terms});
        xt::xtensor<float, 1> y = xt::zeros<float>({terms});
        for (std::size_t i = 0; i < terms; ++i) {
            x(i) = 1.0F / static_cast<float>(i + 1);
            y(i) = static_cast<float>(i % 7) - 2.6F;
        }
        CHECK(xeinsum::einsum<"i,i->">(x, y)() == xeinsum::einsum("i,i->", x, y)());
    }
    const xt::xtensor<double, 3> b = {{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}, {{9, 1}, {2, 3}}};
    CHECK(xeinsum::einsum<"bij,bjk->bik">(b, b) ==
          xeinsum::reference::einsum("bij,bjk->bik", b, b));
    CHECK(xeinsum::einsum<"bij,ij->b">(b, xt::xtensor<double, 2>{{1, 2}, {3, 4}}) ==
          xt::xtensor<double, 1>{30, 70, 29});
    xt::xtensor<double, 2> out = xt::zeros<double>({2, 2});
    xeinsum::einsum_to<"bij,bkj->ik">(out, b, b);
    CHECK(out == xeinsum::reference::einsum("bij,bkj->ik", b, b));
    const xt::xtensor_fixed<float, xt::xshape<2, 3>> f = {{1, 2, 3}, {4, 5, 6}};
    xt::xtensor_fixed<float, xt::xshape<2, 2>> g;
    xeinsum::einsum_to<"ij,kj->ik">(g, f, f);
    CHECK(g(0, 1) == 32);
    CHECK(xeinsum::einsum<"ij,kj->ik">(f, f)(1, 1) == 77);
}

TEST_CASE("large ones run the other file's kernels, and errors are the same") {
    xt::xtensor<float, 2> a = xt::zeros<float>({70, 90});
    xt::xtensor<float, 2> b = xt::zeros<float>({90, 110});
    for (std::size_t n = 0; n < a.size(); ++n) {
        a.flat(n) = static_cast<float>(n * 7 % 11) - 5;
    }
    for (std::size_t n = 0; n < b.size(); ++n) {
        b.flat(n) = static_cast<float>(n * 5 % 13) - 6;
    }
    CHECK(xeinsum::einsum<"ij,jk->ik">(a, b) == xeinsum::reference::einsum("ij,jk->ik", a, b));
    try {
        static_cast<void>(xeinsum::einsum<"ij,jk->ik">(b, b));
        FAIL("extents clash");
    } catch (const xeinsum::einsum_error& e) {
        CHECK(e.code() == xeinsum::error_code::extent_mismatch);
        CHECK(std::string(e.what()).find("110") != std::string::npos);
    }
}
