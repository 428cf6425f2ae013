// What a user's first program looks like: "ij,jk->ik" of a 2x3 and a 3x4 array.
#include <xeinsum/einsum.hpp>

#include <iostream>

int main() {
    const xt::xtensor<float, 2> a = {{1, 2, 3}, {4, 5, 6}};
    const xt::xtensor<float, 2> b = {{1, 0, 2, 7}, {0, 1, 3, 8}, {5, 4, 0, 9}};
    const xt::xtensor<float, 2> expected = {{16, 14, 8, 50}, {34, 29, 23, 122}};
    const auto y = xeinsum::einsum<"ij,jk->ik">(a, b);
    for (std::size_t i = 0; i < 2; ++i) {
        for (std::size_t k = 0; k < 4; ++k) {
            std::cout << y(i, k) << (k < 3 ? ' ' : '\n');
        }
    }
    return y == expected ? 0 : 1;
}
