// oneDNN on operands that are permuted for free: "bhqd,bhkd->bhqk" as one dnnl_sgemm for each bh.
#include "peer.hpp"

#include <dnnl.h>

#include <stdexcept>

namespace bench {
namespace {

void multiply(const matrix_product<float>& p) {
    const auto m = static_cast<dnnl_dim_t>(p.m);
    const auto n = static_cast<dnnl_dim_t>(p.n);
    const auto k = static_cast<dnnl_dim_t>(p.k);
    for (std::size_t i = 0; i < p.batch; ++i) {
        const auto status =
            dnnl_sgemm('N', 'N', m, n, k, 1, p.a.data() + i * p.m * p.k, k,
                       p.b.data() + i * p.k * p.n, n, 0, p.c.data() + i * p.m * p.n, n);
        if (status != dnnl_success) {
            throw std::runtime_error("dnnl_sgemm failed");
        }
    }
}

class onednn : public peer {
public:
    [[nodiscard]] std::string name() const override { return "oneDNN"; }
    [[nodiscard]] bool is_blas() const override { return true; }

    [[nodiscard]] work<float> prepare(const task<float>&,
                                      const matrix_product<float>* product) const override {
        if (product == nullptr) {
            return {};
        }
        return {repeat([product] { multiply(*product); }), place::matrices};
    }
    /// It has no product of doubles.
    [[nodiscard]] work<double> prepare(const task<double>&,
                                       const matrix_product<double>*) const override {
        return {};
    }
};

const add_peer<onednn> added;

}  // namespace
}  // namespace bench
