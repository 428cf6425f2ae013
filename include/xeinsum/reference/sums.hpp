// The loops of the reference: for "ij,jk->ik" over i, j and k, the longest one innermost, each sum
// in a wider type. They share nothing with the kernels that they judge.
#pragma once

#include <xeinsum/array/dense_array.hpp>
#include <xeinsum/reference/call.hpp>
#include <xeinsum/reference/wide.hpp>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace xeinsum::reference {

/// The extents of all labels from the outermost loop to the innermost.
struct loops {
    std::vector<std::size_t> order{};
    shape extents{};

    /// In the order of the equation, but that the longest loop is the innermost one.
    explicit loops(const shape& of_labels) {
        std::size_t longest = 0;
        for (std::size_t l = 0; l < of_labels.size(); ++l) {
            longest = of_labels[l] >= of_labels[longest] ? l : longest;
        }
        for (std::size_t l = 0; l < of_labels.size(); ++l) {
            if (l != longest) {
                order.push_back(l);
            }
        }
        if (!of_labels.empty()) {
            order.push_back(longest);
        }
        for (const std::size_t l : order) {
            extents.push_back(of_labels[l]);
        }
    }

    /// The stride in each loop of a row-major array with these labels; an extent of 1 broadcasts.
    [[nodiscard]] shape strides(const std::vector<std::size_t>& labels, const shape& array) const {
        shape of_labels(order.size(), 0);
        std::size_t stride = 1;
        for (std::size_t a = labels.size(); a-- > 0;) {
            of_labels[labels[a]] += array[a] == 1 ? 0 : stride;
            stride *= array[a];
        }
        shape of_loops;
        for (const std::size_t l : order) {
            of_loops.push_back(of_labels[l]);
        }
        return of_loops;
    }
};

/// Calls f(offsets) for every index of all loops but the last: where it lies in each of several
/// arrays with these strides, the last loop being at its beginning.
template <class F>
void for_each_line(const shape& extents, const std::vector<shape>& strides, F f) {
    shape at(extents.size(), 0);
    shape offsets(strides.size(), 0);
    for (bool more = std::find(extents.begin(), extents.end(), 0U) == extents.end(); more;) {
        f(offsets);
        more = false;
        for (std::size_t l = extents.empty() ? 0 : extents.size() - 1; l-- > 0 && !more;) {
            more = ++at[l] < extents[l];
            for (std::size_t i = 0; i < offsets.size(); ++i) {
                offsets[i] += strides[i][l];
                offsets[i] -= more ? 0 : extents[l] * strides[i][l];
            }
            at[l] = more ? at[l] : 0;
        }
    }
}

/// One factor of the products: map(element) of an operand in the order of the loops. Where the
/// operand does not vary with a loop, the stride is 0.
template <class W>
struct factor {
    array::dense_array<W> elements;
    shape strides;
};
template <class W, class T, class Map>
[[nodiscard]] factor<W> make_factor(const loops& all, const std::vector<std::size_t>& labels,
                                    const shape& own, const array::dense_array<T>& operand,
                                    Map map) {
    const shape from = all.strides(labels, own);
    shape extents = all.extents;
    shape to(extents.size(), 0);
    std::size_t count = 1;
    for (std::size_t l = extents.size(); l-- > 0;) {
        extents[l] = from[l] == 0 ? 1 : extents[l];
        to[l] = from[l] == 0 ? 0 : count;
        count *= extents[l];
    }
    factor<W> result{array::dense_array<W>(shape{count}), to};
    const std::size_t length = extents.empty() ? 1 : extents.back();
    const std::size_t stride = extents.empty() ? 0 : from.back();
    W* next = result.elements.data();
    for_each_line(extents, {from}, [&](const shape& offsets) {
        const T* x = operand.data() + offsets[0];
        for (std::size_t n = 0; n < length; ++n) {
            *next++ = map(x[n * stride]);
        }
    });
    return result;
}

/// For every element of the result the sum over its terms of the product over operands of
/// map(element), in W.
template <class W, class T, class Map>
[[nodiscard]] array::dense_array<W> sum_products(const call<T>& c, Map map) {
    const loops all(c.terms.extents());
    std::vector<factor<W>> factors;
    std::vector<shape> strides;
    for (std::size_t i = 0; i < c.operands.size(); ++i) {
        factors.push_back(
            make_factor<W>(all, c.terms.term(i), c.terms.operand_shape(i), c.operands[i], map));
        strides.push_back(factors.back().strides);
    }
    shape of_result;
    for (const std::size_t l : c.terms.output()) {
        of_result.push_back(c.terms.extents()[l]);
    }
    strides.push_back(all.strides(c.terms.output(), of_result));

    array::dense_array<W> total(c.terms.result_shape());
    std::fill_n(total.data(), c.terms.result_size(), W(0));
    const std::size_t count = all.extents.empty() ? 1 : all.extents.back();
    const auto stride = [&](std::size_t i) { return strides[i].empty() ? 0 : strides[i].back(); };
    const array::dense_array<W> products(shape{count});
    W* const line = products.data();
    for_each_line(all.extents, strides, [&](const shape& offsets) {
        for (std::size_t i = 0; i < factors.size(); ++i) {
            const W* x = factors[i].elements.data() + offsets[i];
            const std::size_t step = stride(i);
            for (std::size_t n = 0; n < count; ++n) {
                line[n] = i == 0 ? x[n * step] : times<W>(line[n], x[n * step]);
            }
        }
        W* sum = total.data() + offsets.back();
        const std::size_t step = stride(factors.size());
        for (std::size_t n = 0; n < count; ++n) {
            sum[n * step] = plus<W>(sum[n * step], line[n]);
        }
    });
    return total;
}

}  // namespace xeinsum::reference
