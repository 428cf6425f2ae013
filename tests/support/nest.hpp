// Loop nests in tests: rows of extent and strides, and the sums that they mean, the obvious way;
// "ij,j->i" on (4,5) is output {4: 1 5 0} and contracted {5: 0 1 1}.
#pragma once

#include <xeinsum/kernel/loop_nest.hpp>
#include <xeinsum/kernel/scaling.hpp>

#include "instances.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <utility>
#include <vector>

namespace support {

/// Extent, stride in the output, strides in the inputs.
using nest_row = std::vector<std::int64_t>;

/// Loops in memory of their own.
class nest_rows {
public:
    explicit nest_rows(const std::vector<nest_row>& rows) {
        // g++ 12 warns of taking the size, and of inserting a row at once.
        for (const nest_row& row : rows) {
            ++count_;
            pitch_ = row.size();
            std::copy(row.begin(), row.end(), std::back_inserter(cells_));
        }
    }
    [[nodiscard]] xeinsum::kernel::loops loops() const { return {cells_.data(), pitch_, count_}; }
    [[nodiscard]] std::int64_t* cells() { return cells_.data(); }

private:
    std::vector<std::int64_t> cells_{};
    std::size_t pitch_ = 1;
    std::size_t count_ = 0;
};

/// Calls body(offset in each array) for every iteration, output first.
inline void for_each_iteration(const xeinsum::kernel::loops& loops, std::size_t arrays,
                               const std::function<void(const std::vector<std::int64_t>&)>& body) {
    for (std::int64_t n = 0; n < loops.iterations(); ++n) {
        std::vector<std::int64_t> offsets(arrays, 0);
        std::int64_t rest = n;
        for (std::size_t m = loops.count; m-- > 0;) {
            const std::int64_t i = rest % loops.extent(m);
            rest /= loops.extent(m);
            for (std::size_t a = 0; a < arrays; ++a) {
                offsets[a] += i * loops.stride(m, a);
            }
        }
        body(offsets);
    }
}

/// out = alpha * (sum of products) + beta * out, by definition.
template <class T>
void evaluate_nest(const xeinsum::kernel::loop_nest& nest, const std::vector<const T*>& inputs,
                   T* out, const T& alpha, const T& beta) {
    for_each_iteration(nest.output, inputs.size() + 1, [&](const std::vector<std::int64_t>& at) {
        T sum(0);
        for_each_iteration(nest.contracted, inputs.size() + 1,
                           [&](const std::vector<std::int64_t>& term) {
                               T product = inputs[0][at[1] + term[1]];
                               for (std::size_t i = 1; i < inputs.size(); ++i) {
                                   product = T(product * inputs[i][at[1 + i] + term[1 + i]]);
                               }
                               sum = T(sum + product);
                           });
        out[at[0]] = T(alpha * sum + beta * out[at[0]]);
    });
}

/// Checks a product of two inputs, with and without scaling, into so many results: run(scaling,
/// results) computes what the nest says.
template <class T, class Run>
void check_product(const xeinsum::kernel::loop_nest& nest, const std::vector<T>& lhs,
                   const std::vector<T>& rhs, std::size_t results, Run run) {
    for (const auto& [alpha, beta] : {std::pair{T(1), T(0)}, {T(2), T(3)}}) {
        const auto before = small_numbers<T>(results, 800);
        std::vector<T> expected = before;
        std::vector<T> found = before;
        evaluate_nest<T>(nest, {lhs.data(), rhs.data()}, expected.data(), alpha, beta);
        run(xeinsum::kernel::scaling<T>(alpha, beta), found.data());
        CHECK(found == expected);
    }
}

}  // namespace support
