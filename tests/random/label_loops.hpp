// What a random call must give, by loops over its labels: for "ij,jk->ik" every i and k, and inside
// every j. No parser, planner or kernel of the library takes part.
#pragma once

#include "random_case.hpp"

#include <algorithm>
#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace random_calls {

/// One loop for each label: first those of the output, in its order.
struct label_loops {
    explicit label_loops(const random_case& c);

    shape extents{};
    std::size_t output_rank = 0;
    /// Of operand i along loop l: steps[l][i].
    std::vector<std::array<std::int64_t, most_operands>> steps{};
    std::size_t operands = 0;

    [[nodiscard]] shape output_extents() const {
        return {extents.begin(), extents.begin() + static_cast<std::ptrdiff_t>(output_rank)};
    }
    [[nodiscard]] std::size_t terms_per_element() const {
        return elements_of(
            {extents.begin() + static_cast<std::ptrdiff_t>(output_rank), extents.end()});
    }
};

/// The arithmetic in which sums of small integers in T are exact; numbers of T that are integers
/// wrap as they do.
template <class T>
struct exact {
    using type = std::conditional_t<std::is_integral_v<T>, std::uint64_t, double>;
};
template <class T>
struct exact<std::complex<T>> {
    using type = std::complex<double>;
};
template <class T>
using exact_t = typename exact<T>::type;

template <class W>
[[nodiscard]] W times(const W& a, const W& b) {
    return a * b;
}
/// As a definition, without the mending of infinities that C++ demands.
[[nodiscard]] inline std::complex<double> times(const std::complex<double>& a,
                                                const std::complex<double>& b) {
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

template <class T>
class label_sums {
public:
    using sum = exact_t<T>;
    using pointers = std::array<const T*, most_operands>;

    /// Every element of the output in row-major order, of operands whose elements with index 0 are
    /// pointed to.
    static std::vector<sum> of(const label_loops& loops, const pointers& operands) {
        std::vector<sum> out(elements_of(loops.output_extents()), sum(0));
        label_sums sums(loops, out.data());
        if (!out.empty()) {
            sums.visit(0, operands);
        }
        return out;
    }

private:
    label_sums(const label_loops& loops, sum* out) : loops_(loops), out_(out) {}

    void visit(std::size_t loop, pointers at) {
        if (loop == loops_.extents.size()) {
            auto product = static_cast<sum>(*at[0]);
            for (std::size_t i = 1; i < loops_.operands; ++i) {
                product = times(product, static_cast<sum>(*at[i]));
            }
            *out_ += product;
            out_ += loop == loops_.output_rank ? 1 : 0;
            return;
        }
        for (std::size_t n = 0; n < loops_.extents[loop]; ++n) {
            visit(loop + 1, at);
            for (std::size_t i = 0; i < loops_.operands; ++i) {
                at[i] += loops_.steps[loop][i];
            }
        }
        // All terms of an element are there.
        out_ += loop == loops_.output_rank ? 1 : 0;
    }

    const label_loops& loops_;
    sum* out_;
};

}  // namespace random_calls
