// xtensor-blas: "nctw,cd->ndtw" as xt::linalg::tensordot(a, b, {1}, {0}), then transposed; it knows
// no batch labels.
#include "peer.hpp"
#include "xtensor_views.hpp"

#include <xtensor-blas/xlinalg.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace bench {
namespace {

class tensordot : public peer_of<tensordot> {
public:
    [[nodiscard]] std::string name() const override { return "tensordot"; }

    template <class T>
    [[nodiscard]] work<T> make(const task<T>& t, const matrix_product<T>* product) const {
        if (product == nullptr || product->batch > 1 || t.output_term().empty() ||
            t.summed().empty()) {
            return {};
        }
        const std::string& lhs = t.terms()[0];
        const std::string& rhs = t.terms()[1];
        std::vector<std::size_t> lhs_axes;
        std::vector<std::size_t> rhs_axes;
        for (const char label : t.summed()) {
            lhs_axes.push_back(lhs.find(label));
            rhs_axes.push_back(rhs.find(label));
        }
        std::vector<std::size_t> order;
        for (const char label : t.output_term()) {
            order.push_back(product->labels.find(label));
        }
        return {repeat([=, &t] {
            const auto a = view(t.operands()[0].extents(), t.operands()[0].data());
            const auto b = view(t.operands()[1].extents(), t.operands()[1].data());
            auto out = view(t.output().extents(), t.output().data());
            const auto c = xt::linalg::tensordot(a, b, lhs_axes, rhs_axes);
            xt::noalias(out) = xt::transpose(c, order);
        })};
    }
};

const add_peer<tensordot> added;

}  // namespace
}  // namespace bench
