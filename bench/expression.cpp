// Broadcasts operands by strides of 0 and lets xtensor do the rest: "ij->i" is xt::sum(a, {1}).
#include "expression.hpp"

#include "xtensor_views.hpp"

#if __has_include(<xtensor/core/xmath.hpp>)
#include <xtensor/core/xmath.hpp>
#else
#include <xtensor/xmath.hpp>
#endif

#include <memory>
#include <stdexcept>
#include <vector>

namespace bench {

namespace {

/// An operand with an axis for every label of the task, those of the output first.
template <class T>
auto broadcast(const task<T>& t, std::size_t operand) {
    const std::string labels = t.output_term() + t.summed();
    const std::string& term = t.terms()[operand];
    std::vector<std::ptrdiff_t> strides(labels.size(), 0);
    std::ptrdiff_t stride = 1;
    for (std::size_t a = term.size(); a-- > 0;) {
        strides[labels.find(term[a])] += stride;
        stride *= static_cast<std::ptrdiff_t>(t.extent(term[a]));
    }
    // xtensor wants to be told as many elements as the axes have.
    return xt::adapt(t.operands()[operand].data(), t.elements(labels), xt::no_ownership(),
                     t.shape_of(labels), strides);
}
template <class T>
using broadcast_view = decltype(broadcast<T>(std::declval<const task<T>&>(), 0));

template <class T>
struct arrays {
    explicit arrays(const task<T>& t) : out(view(t.output().extents(), t.output().data())) {
        for (std::size_t o = 0; o < t.operands().size(); ++o) {
            in.push_back(broadcast<T>(t, o));
        }
        for (std::size_t a = 0; a < t.summed().size(); ++a) {
            axes.push_back(t.output_term().size() + a);
        }
    }

    template <class E>
    void assign(E&& product) {
        if (axes.empty()) {
            xt::noalias(out) = product;
        } else {
            xt::noalias(out) = xt::sum(product, axes);
        }
    }

    array_view<T> out;
    std::vector<broadcast_view<T>> in{};
    std::vector<std::size_t> axes{};
};

}  // namespace

template <class T>
std::function<void()> expression_of(const task<T>& t) {
    const auto r = std::make_shared<arrays<T>>(t);
    switch (r->in.size()) {
        case 1: return [r] { r->assign(r->in[0]); };
        case 2: return [r] { r->assign(r->in[0] * r->in[1]); };
        case 3: return [r] { r->assign(r->in[0] * r->in[1] * r->in[2]); };
        default: throw std::invalid_argument("benchmarks have one to three operands");
    }
}

template std::function<void()> expression_of(const task<float>&);
template std::function<void()> expression_of(const task<double>&);

}  // namespace bench
