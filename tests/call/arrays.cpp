// Without xtensor and without the library.
#define XEINSUM_WITHOUT_XTENSOR
#include <xeinsum/call/arrays.hpp>

#include <xeinsum/xeinsum.hpp>

#include <doctest/doctest.h>

#include <vector>

TEST_CASE("calls with kernels of their own on memory of others") {
    const std::vector<float> a{1, 2, 3, 4, 5, 6};
    const std::vector<float> b{1, 0, 2, 7, 0, 1, 3, 8, 5, 4, 0, 9};
    std::vector<float> c(8);
    using xeinsum::view;
    xeinsum::einsum_to<"ij,jk->ik">(view{c.data(), {2, 4}}, view{a.data(), {2, 3}},
                                    view{b.data(), {3, 4}});
    CHECK(c == std::vector<float>{16, 14, 8, 50, 34, 29, 23, 122});
}
