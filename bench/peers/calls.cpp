// xeinsum's other way in, for small products: einsum_to<"ij,jk->ik">(out, a, b), which the compiler
// plans if extents are in the types too.
#include "peer.hpp"

#include <xeinsum/einsum.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>

namespace bench {
namespace {

template <class T>
[[nodiscard]] bool is_square_product(const task<T>& t, std::size_t n) {
    return t.equation() == "ij,jk->ik" && t.extent('i') == n && t.extent('j') == n &&
           t.extent('k') == n;
}

/// A product of two arrays, filled as a task's operands are.
template <class Array>
struct product {
    using value = typename Array::value_type;

    product(const task<value>& t, const Array& empty) : a(empty), b(empty), out(empty) {
        std::copy_n(t.operands()[0].data(), a.size(), a.begin());
        std::copy_n(t.operands()[1].data(), b.size(), b.begin());
    }
    Array a;
    Array b;
    Array out;
};

template <class Array>
[[nodiscard]] work<typename Array::value_type> call(const task<typename Array::value_type>& t,
                                                    const Array& empty) {
    const auto p = std::make_shared<product<Array>>(t, empty);
    return {repeat([p] { xeinsum::einsum_to<"ij,jk->ik">(p->out, p->a, p->b); }), place::output,
            [p] { return p->out.data(); }};
}

/// Extents known at run time: xt::xtensor<float, 2>.
class call_on_xtensor : public peer {
public:
    [[nodiscard]] std::string name() const override { return "einsum_to"; }

    [[nodiscard]] work<float> prepare(const task<float>& t,
                                      const matrix_product<float>*) const override {
        for (const std::size_t n : {4U, 8U, 16U, 32U, 64U}) {
            if (is_square_product(t, n)) {
                return call(t, xt::xtensor<float, 2>::from_shape({n, n}));
            }
        }
        return {};
    }
    [[nodiscard]] work<double> prepare(const task<double>&,
                                       const matrix_product<double>*) const override {
        return {};
    }
};

/// Extents known to the compiler: xt::xtensor_fixed<float, xt::xshape<8, 8>>.
class call_on_fixed : public peer {
public:
    [[nodiscard]] std::string name() const override { return "fixed"; }

    [[nodiscard]] work<float> prepare(const task<float>& t,
                                      const matrix_product<float>*) const override {
        work<float> found;
        const auto try_extent = [&]<std::size_t N>(std::integral_constant<std::size_t, N>) {
            if (is_square_product(t, N)) {
                found = call(t, xt::xtensor_fixed<float, xt::xshape<N, N>>());
            }
        };
        try_extent(std::integral_constant<std::size_t, 4>());
        try_extent(std::integral_constant<std::size_t, 8>());
        try_extent(std::integral_constant<std::size_t, 16>());
        return found;
    }
    [[nodiscard]] work<double> prepare(const task<double>&,
                                       const matrix_product<double>*) const override {
        return {};
    }
};

const add_peer<call_on_xtensor> added_call;
const add_peer<call_on_fixed> added_fixed;

}  // namespace
}  // namespace bench
