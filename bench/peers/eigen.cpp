// Eigen's matrices: "ij,jk->ik" as c.noalias() = a * b, of extents known at run time or, for small
// products and batches of them, to the compiler.
#include "peer.hpp"

#include <Eigen/Core>

#include <utility>

namespace bench {
namespace {

template <class T, int Rows, int Columns>
using matrix = Eigen::Matrix<T, Rows, Columns, Eigen::RowMajor>;

template <class T, int M, int N, int K>
void multiply(const matrix_product<T>& p) {
    const auto m = static_cast<Eigen::Index>(p.m);
    const auto n = static_cast<Eigen::Index>(p.n);
    const auto k = static_cast<Eigen::Index>(p.k);
    for (std::size_t i = 0; i < p.batch; ++i) {
        const Eigen::Map<const matrix<T, M, K>> a(p.a.data() + i * p.m * p.k, m, k);
        const Eigen::Map<const matrix<T, K, N>> b(p.b.data() + i * p.k * p.n, k, n);
        Eigen::Map<matrix<T, M, N>> c(p.c.data() + i * p.m * p.n, m, n);
        c.noalias() = a * b;
    }
}

class eigen : public peer_of<eigen> {
public:
    [[nodiscard]] std::string name() const override { return "Eigen"; }

    template <class T>
    [[nodiscard]] work<T> make(const task<T>&, const matrix_product<T>* product) const {
        if (product == nullptr) {
            return {};
        }
        constexpr int open = Eigen::Dynamic;
        return {repeat([product] { multiply<T, open, open, open>(*product); }), place::matrices};
    }
};

class eigen_fixed : public peer_of<eigen_fixed> {
public:
    [[nodiscard]] std::string name() const override { return "Eigen fixed"; }

    template <class T>
    [[nodiscard]] work<T> make(const task<T>&, const matrix_product<T>* product) const {
        work<T> found;
        if (product != nullptr) {
            const auto try_all = [&]<int... N>(std::integer_sequence<int, N...>) {
                (try_extent<T, N>(*product, found), ...);
            };
            try_all(std::integer_sequence<int, 4, 8, 16, 32, 64>());
        }
        return found;
    }

private:
    template <class T, int N>
    static void try_extent(const matrix_product<T>& p, work<T>& found) {
        constexpr auto n = static_cast<std::size_t>(N);
        if (p.m == n && p.n == n && p.k == n) {
            found = {repeat([&p] { multiply<T, N, N, N>(p); }), place::matrices};
        }
    }
};

const add_peer<eigen> added;
const add_peer<eigen_fixed> added_fixed;

}  // namespace
}  // namespace bench
