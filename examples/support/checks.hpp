// Judges results: check.against_reference("nctw,cd->ndtw", y, x, w) compares y with the naive
// evaluation, within the proved bound.
#pragma once

#include <xeinsum/reference/bound.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <string_view>

namespace example {

class checks {
public:
    /// The result, or a part of it with the parts of the operands that it is made of.
    template <class Result, class... Operands>
    void against_reference(std::string_view equation, const Result& result,
                           const Operands&... operands) {
        std::string what(equation);
        what += " against the reference";
        report(what, xeinsum::reference::worst_ratio(
                         result, xeinsum::reference::einsum(equation, operands...),
                         xeinsum::reference::bound(equation, operands...)));
    }

    /// Two evaluations in float that add up the same products, each at most `largest`.
    template <class A, class B>
    void same(std::string_view what, const A& a, const B& b, std::size_t products, double largest) {
        const auto n = static_cast<double>(products);
        const auto unit = static_cast<long double>(std::numeric_limits<float>::epsilon() / 2);
        // Each is within gamma(n) of the sum of magnitudes, which is at most n * largest.
        const auto bound =
            2 * static_cast<double>(xeinsum::reference::gamma(n, unit)) * n * largest;
        report(what, distance(a, b) / bound);
    }

    /// Prints a line; a ratio above 1, or NaN, is a failure.
    void report(std::string_view what, double error_over_bound);

    /// The same for what is simply true or not.
    void require(std::string_view what, bool right);

    /// EXIT_SUCCESS where nothing failed.
    [[nodiscard]] int exit_code() const;

    /// The largest |a - b|; infinite where the shapes differ.
    template <class A, class B>
    [[nodiscard]] static double distance(const A& a, const B& b) {
        if (!std::equal(a.shape().begin(), a.shape().end(), b.shape().begin(), b.shape().end())) {
            return std::numeric_limits<double>::infinity();
        }
        double largest = 0;
        auto at = b.begin();
        for (const auto x : a) {
            const double d = std::abs(static_cast<double>(x) - static_cast<double>(*at++));
            if (std::isnan(d)) {
                return d;
            }
            largest = std::max(largest, d);
        }
        return largest;
    }

private:
    bool failed_ = false;
};

}  // namespace example
