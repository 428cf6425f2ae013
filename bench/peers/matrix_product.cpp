// Sorts labels into batch, m, n and k and permutes: "ji,kj->ik" as i by j times j by k.
#include "matrix_product.hpp"

#include "loop_nest.hpp"

#include <algorithm>

namespace bench {

namespace {

bool holds(const std::string& term, char label) {
    return term.find(label) != std::string::npos;
}

bool repeats(const std::string& term) {
    return std::any_of(term.begin(), term.end(),
                       [&](char label) { return std::count(term.begin(), term.end(), label) > 1; });
}

template <class T>
placed_array<T> permuted(const task<T>& t, std::size_t operand, const std::string& labels) {
    placed_array<T> to(t.shape_of(labels));
    const loop_nest<T> copy({t.terms()[operand]}, labels, t.extents());
    copy.run({t.operands()[operand].data()}, to.data());
    return to;
}

}  // namespace

template <class T>
std::optional<matrix_product<T>> as_matrix_product(const task<T>& t) {
    if (t.terms().size() != 2 || repeats(t.terms()[0]) || repeats(t.terms()[1])) {
        return std::nullopt;
    }
    const std::string& lhs = t.terms()[0];
    const std::string& rhs = t.terms()[1];
    std::string batch;
    std::string m;
    std::string n;
    std::string k;
    for (const char label : lhs) {
        if (holds(t.output_term(), label)) {
            (holds(rhs, label) ? batch : m) += label;
        } else if (holds(rhs, label)) {
            k += label;
        } else {
            return std::nullopt;
        }
    }
    for (const char label : rhs) {
        if (!holds(lhs, label)) {
            if (!holds(t.output_term(), label)) {
                return std::nullopt;
            }
            n += label;
        }
    }
    const std::string labels = batch + m + n;
    return matrix_product<T>{t.elements(batch),
                             t.elements(m),
                             t.elements(n),
                             t.elements(k),
                             permuted(t, 0, batch + m + k),
                             permuted(t, 1, batch + k + n),
                             placed_array<T>(t.shape_of(labels)),
                             labels};
}

template <class T>
void permute_to_output(const task<T>& t, const matrix_product<T>& product, T* out) {
    const loop_nest<T> copy({product.labels}, t.output_term(), t.extents());
    if (t.output_term().empty()) {
        *out = *product.c.data();
    } else {
        copy.run({product.c.data()}, out);
    }
}

template std::optional<matrix_product<float>> as_matrix_product(const task<float>&);
template std::optional<matrix_product<double>> as_matrix_product(const task<double>&);
template void permute_to_output(const task<float>&, const matrix_product<float>&, float*);
template void permute_to_output(const task<double>&, const matrix_product<double>&, double*);

}  // namespace bench
