// Eigen's tensor contraction: "nctw,cd->ndtw" as a.contract(b, {1, 0}).shuffle(...), for the ranks
// that the cases have; it knows no batch labels.
#include "peer.hpp"

#include <unsupported/Eigen/CXX11/Tensor>

#include <array>
#include <memory>

namespace bench {
namespace {

template <class T, int Rank>
using tensor = Eigen::TensorMap<Eigen::Tensor<T, Rank, Eigen::RowMajor>, Eigen::Aligned64>;

template <class T, int Rank>
tensor<T, Rank> tensor_of(const placed_array<T>& array) {
    std::array<Eigen::Index, Rank> extents{};
    for (std::size_t a = 0; a < extents.size(); ++a) {
        extents[a] = static_cast<Eigen::Index>(array.extents()[a]);
    }
    return {array.data(), extents};
}

template <class T, int Lhs, int Rhs, int Contracted>
work<T> contract(const task<T>& t) {
    constexpr int out_rank = Lhs + Rhs - 2 * Contracted;
    const std::string& lhs = t.terms()[0];
    const std::string& rhs = t.terms()[1];
    std::array<std::pair<int, int>, Contracted> pairs{};
    std::string free;
    std::size_t found = 0;
    for (std::size_t a = 0; a < lhs.size(); ++a) {
        const std::size_t b = rhs.find(lhs[a]);
        if (b == std::string::npos) {
            free += lhs[a];
        } else {
            pairs[found++] = {static_cast<int>(a), static_cast<int>(b)};
        }
    }
    for (const char label : rhs) {
        free += lhs.find(label) == std::string::npos ? std::string(1, label) : "";
    }
    std::array<int, out_rank> order{};
    for (std::size_t a = 0; a < order.size(); ++a) {
        order[a] = static_cast<int>(free.find(t.output_term()[a]));
    }
    return {repeat([=, &t] {
        const auto a = tensor_of<T, Lhs>(t.operands()[0]);
        const auto b = tensor_of<T, Rhs>(t.operands()[1]);
        auto out = tensor_of<T, out_rank>(t.output());
        if (free == t.output_term()) {
            out = a.contract(b, pairs);
        } else {
            out = a.contract(b, pairs).shuffle(order);
        }
    })};
}

class eigen_tensor : public peer_of<eigen_tensor> {
public:
    [[nodiscard]] std::string name() const override { return "Eigen tensor"; }

    template <class T>
    [[nodiscard]] work<T> make(const task<T>& t, const matrix_product<T>* product) const {
        if (product == nullptr || product->batch > 1) {
            return {};
        }
        const std::size_t lhs = t.terms()[0].size();
        const std::size_t rhs = t.terms()[1].size();
        const std::size_t contracted = (lhs + rhs - t.output_term().size()) / 2;
        work<T> made;
        const auto try_ranks = [&]<int L, int R, int C>(ranks<L, R, C>) {
            if (lhs == L && rhs == R && contracted == C) {
                made = contract<T, L, R, C>(t);
            }
        };
        try_ranks(ranks<2, 2, 1>());
        try_ranks(ranks<3, 2, 1>());
        try_ranks(ranks<4, 2, 1>());
        try_ranks(ranks<3, 3, 2>());
        try_ranks(ranks<4, 4, 2>());
        return made;
    }

private:
    template <int Lhs, int Rhs, int Contracted>
    struct ranks {};
};

const add_peer<eigen_tensor> added;

}  // namespace
}  // namespace bench
