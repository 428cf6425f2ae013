// A result beside the reference, for tests of any einsum: CHECK(testing::check(mine, "ij,jk->ik",
// a, b)) prints the worst element of a wrong one, its labels, and what is allowed. Needs no
// kernels.
#pragma once

#include <xeinsum/language.hpp>

#include <xeinsum/array/dense_array.hpp>
#include <xeinsum/array/xtensor.hpp>
#include <xeinsum/equation/argument.hpp>
#include <xeinsum/equation/join.hpp>
#include <xeinsum/equation/message.hpp>
#include <xeinsum/reference/call.hpp>
#include <xeinsum/reference/evaluate.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <limits>
#include <ostream>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>

/// For tests of einsum-like functions in any framework.
namespace xeinsum::testing {

/// How a result may differ from the reference, element by element.
enum class tolerance : unsigned char {
    /// What rounding can do at worst to any correct evaluation: reference::bound. The default. It
    /// grows
    /// with the depth of the sums; integers have none.
    proved,
    /// What rounding exceeds once in a million calls, if roundings are independent: it
    /// grows with the square root of the depth. Source: Higham and Mary, A New Approach to
    /// Probabilistic Rounding Error Analysis, SIAM Journal on Scientific Computing 41(5), 2019.
    probable,
    /// Not at all. For integers, and for small whole numbers in floating-point types, whose sums
    /// are exact in any order.
    exact,
};

/// What a check has found. True for a right result; written to a stream it is the message.
class check_result {
public:
    /// The message says what is wrong.
    check_result(bool right, std::string message) : right_(right), message_(std::move(message)) {}

    /// Whether the result is right.
    explicit operator bool() const noexcept { return right_; }
    /// Of a wrong result: how many elements are outside, and the worst one, with its labels.
    [[nodiscard]] const std::string& message() const noexcept { return message_; }

    /// GoogleTest's AssertionResult, so that EXPECT_TRUE(check(...)) prints the message.
    template <class Assertion>
        requires requires(const Assertion& a) {
            { a.failure_message() } -> std::convertible_to<const char*>;
        }
    operator Assertion() const { return Assertion(right_) << message_; }
    /// Writes the message.
    friend std::ostream& operator<<(std::ostream& out, const check_result& r) {
        return out << r.message_;
    }

private:
    bool right_;
    std::string message_;
};

namespace detail {

template <class T>
void put_element(std::ostream& out, const T& x) {
    if constexpr (std::is_integral_v<T>) {
        out << +x;
    } else {
        out << x;
    }
}

[[nodiscard]] constexpr const char* name(tolerance t) noexcept {
    switch (t) {
        case tolerance::proved: return "proved bound on rounding";
        case tolerance::probable: return "probable bound on rounding";
        case tolerance::exact: break;
    }
    return "exact";
}

template <class T>
[[nodiscard]] array::dense_array<double> allowed(const reference::call<T>& c, tolerance t) {
    if (t == tolerance::exact) {
        array::dense_array<double> none(c.terms.result_shape());
        std::fill_n(none.data(), c.terms.result_size(), 0.0);
        return none;
    }
    return reference::bound_of(
        c, t == tolerance::proved ? reference::roundings::worst : reference::roundings::random);
}

template <class T>
[[nodiscard]] check_result compare(const array::dense_array<T>& mine, const reference::call<T>& c,
                                   tolerance t) {
    const array::dense_array<T> expected = reference::evaluate(c);
    if (!std::ranges::equal(mine.extents(), expected.extents())) {
        return {false, parsing::join("the result has shape ", parsing::shape_text(mine.extents()),
                                     ", expected is ", parsing::shape_text(expected.extents()))};
    }
    const array::dense_array<double> bound = allowed(c, t);
    std::size_t outside = 0;
    std::size_t worst = 0;
    double worst_ratio = 0;
    const std::size_t elements = c.terms.result_size();
    for (std::size_t i = 0; i < elements; ++i) {
        const double apart = reference::distance(mine.data()[i], expected.data()[i]);
        // A bound that is no number, of infinite operands, allows nothing.
        const bool inside = apart == 0 || apart <= bound.data()[i];
        const double ratio = bound.data()[i] > 0 ? apart / bound.data()[i]
                                                 : apart / std::numeric_limits<float>::min();
        if (!inside && (outside == 0 || ratio > worst_ratio)) {
            worst = i;
            worst_ratio = ratio;
        }
        outside += inside ? 0 : 1;
    }
    if (outside == 0) {
        return {true, "as expected"};
    }
    std::ostringstream words;
    words.precision(std::numeric_limits<double>::max_digits10);
    words << outside << " of " << elements << " elements are outside (" << name(t)
          << "); the worst is " << c.terms.index_text(worst) << ": mine ";
    put_element(words, mine.data()[worst]);
    words << ", expected ";
    put_element(words, expected.data()[worst]);
    words.precision(3);
    words << ", apart " << reference::distance(mine.data()[worst], expected.data()[worst])
          << ", allowed " << bound.data()[worst];
    return {false, words.str()};
}

}  // namespace detail

/// Compares a result with the reference's for these operands, and behind them lengths of axes
/// where the equation has groups. Any strided array, view or std::mdspan may be the result; it
/// and the operands meet in one element type, as in einsum_to. Throws einsum_error where equation
/// and operands do not fit, as a call would; a result of another shape is a wrong one. Time is the
/// product of all extents.
template <class Mine, reference::argument... Args>
[[nodiscard]] check_result check(const Mine& mine, tolerance t, const equation_argument& eq,
                                 const Args&... args) {
    using T = reference::element_t<Mine, Args...>;
    const reference::call<T> c(eq, args...);
    return detail::compare(reference::copy_operand<T>(mine), c, t);
}
/// The same with the proved bound.
template <class Mine, reference::argument... Args>
[[nodiscard]] check_result check(const Mine& mine, const equation_argument& eq,
                                 const Args&... args) {
    return check(mine, tolerance::proved, eq, args...);
}

}  // namespace xeinsum::testing
