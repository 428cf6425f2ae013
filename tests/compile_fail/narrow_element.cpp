// "ij,jk->ik" of a narrow float whose sums are floats, and which does not say so.
#include <xeinsum/einsum.hpp>

struct narrow {
    narrow() = default;
    narrow(float x) : bits(static_cast<unsigned short>(x)) {}
    operator float() const { return bits; }

    unsigned short bits = 0;
};

auto wrong(const xt::xtensor<narrow, 2>& a, const xt::xtensor<narrow, 2>& b) {
    return xeinsum::einsum<"ij,jk->ik">(a, b);
}
