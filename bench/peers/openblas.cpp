// OpenBLAS on operands that are permuted for free: "bhqd,bhkd->bhqk" as one cblas_sgemm for each
// bh.
#include "peer.hpp"

#include <cblas.h>

namespace bench {
namespace {

// One name for both element types.
float dot(blasint k, const float* a, const float* b) {
    return cblas_sdot(k, a, 1, b, 1);
}
double dot(blasint k, const double* a, const double* b) {
    return cblas_ddot(k, a, 1, b, 1);
}
void gemv(CBLAS_TRANSPOSE how, blasint rows, blasint columns, const float* a, const float* x,
          float* y) {
    cblas_sgemv(CblasRowMajor, how, rows, columns, 1, a, columns, x, 1, 0, y, 1);
}
void gemv(CBLAS_TRANSPOSE how, blasint rows, blasint columns, const double* a, const double* x,
          double* y) {
    cblas_dgemv(CblasRowMajor, how, rows, columns, 1, a, columns, x, 1, 0, y, 1);
}
void gemm(blasint m, blasint n, blasint k, const float* a, const float* b, float* c) {
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, 1, a, k, b, n, 0, c, n);
}
void gemm(blasint m, blasint n, blasint k, const double* a, const double* b, double* c) {
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, 1, a, k, b, n, 0, c, n);
}

/// The routine that fits: dot or gemv where m or n is 1.
template <class T>
void multiply(const matrix_product<T>& p) {
    const auto m = static_cast<blasint>(p.m);
    const auto n = static_cast<blasint>(p.n);
    const auto k = static_cast<blasint>(p.k);
    for (std::size_t i = 0; i < p.batch; ++i) {
        const T* a = p.a.data() + i * p.m * p.k;
        const T* b = p.b.data() + i * p.k * p.n;
        T* c = p.c.data() + i * p.m * p.n;
        if (m == 1 && n == 1) {
            *c = dot(k, a, b);
        } else if (n == 1) {
            gemv(CblasNoTrans, m, k, a, b, c);
        } else if (m == 1) {
            gemv(CblasTrans, k, n, b, a, c);
        } else {
            gemm(m, n, k, a, b, c);
        }
    }
}

class openblas : public peer_of<openblas> {
public:
    [[nodiscard]] std::string name() const override { return "OpenBLAS"; }
    [[nodiscard]] bool is_blas() const override { return true; }

    template <class T>
    [[nodiscard]] work<T> make(const task<T>&, const matrix_product<T>* product) const {
        if (product == nullptr) {
            return {};
        }
        openblas_set_num_threads(1);
        return {repeat([product] { multiply(*product); }), place::matrices};
    }
};

const add_peer<openblas> added;

}  // namespace
}  // namespace bench
