// Whoever links the library: "ij,jk->ik" of a 2x3 and a 3x4 array.
#include "product.hpp"

int main() {
    const std::vector<float> expected{16, 14, 8, 50, 34, 29, 23, 122};
    return product({1, 2, 3, 4, 5, 6}, {1, 0, 2, 7, 0, 1, 3, 8, 5, 4, 0, 9}, 3) == expected ? 0 : 1;
}
