// Random calls such as "ij,jk->ik" against the reference, within the proved bound; a call that
// fails is made as simple as it can be before it is shown. XEINSUM_RANDOM_SEED and
// XEINSUM_RANDOM_CASES change which calls and how many.
#pragma once

#include "../support/evaluate.hpp"
#include "../support/random_case.hpp"

#include <xeinsum/equation/error.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <complex>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>
#include <type_traits>

namespace random_calls {

using support::call_mode;
using support::random_case;
using support::shape;
using support::strided_array;

template <class T>
struct real_of {
    using type = T;
};
template <class T>
struct real_of<std::complex<T>> {
    using type = T;
};

/// Numbers that a wrong order of arguments, or a wrong wrap, cannot hide in.
template <class T>
class element_source {
public:
    element_source(std::uint64_t seed, bool special, bool infinities)
        : engine_(seed), special_(special), infinities_(infinities) {}

    T operator()(std::size_t) {
        if constexpr (std::is_integral_v<T>) {
            return static_cast<T>(engine_());
        } else if constexpr (std::is_floating_point_v<T>) {
            return part();
        } else {
            const auto re = part();
            return {re, part()};
        }
    }

private:
    using real = typename real_of<T>::type;

    real part() {
        if (special_ && (std::is_floating_point_v<T> || !infinities_) && engine_() % 16 == 0) {
            constexpr real infinity = std::numeric_limits<real>::infinity();
            constexpr real values[]{std::numeric_limits<real>::quiet_NaN(), 0, infinity, -infinity};
            return values[engine_() % (infinities_ ? 4 : 2)];
        }
        return std::uniform_real_distribution<real>(-1, 1)(engine_);
    }

    std::mt19937_64 engine_;
    bool special_;
    bool infinities_;
};

template <class T>
T number(double x) {
    return T(static_cast<typename real_of<T>::type>(x));
}

template <class T>
double size_of(const T& x) {
    if constexpr (std::is_arithmetic_v<T>) {
        return std::abs(static_cast<double>(x));
    } else {
        return std::abs(static_cast<double>(x.real())) + std::abs(static_cast<double>(x.imag()));
    }
}

/// a * b + c * d, wrapping for integers.
template <class T>
T combine(const T& a, const T& b, const T& c, const T& d) {
    if constexpr (std::is_integral_v<T>) {
        using U = std::uint64_t;
        return static_cast<T>(static_cast<U>(a) * static_cast<U>(b) +
                              static_cast<U>(c) * static_cast<U>(d));
    } else {
        return d == T(0) ? a * b : a * b + c * d;
    }
}

template <class T>
class check {
public:
    explicit check(const random_case& c) : case_(c) {}

    /// What is wrong with a case, or nothing.
    std::string run() {
        support::call<T> call{case_.equation(), {}, case_.options};
        element_source<T> fill(case_.seed, case_.special_values, case_.infinities);
        for (const auto& t : case_.terms) {
            call.operands.push_back(
                strided_array<T>::lying(t.extents, t.lies.order, t.lies.steps, fill));
        }
        const xt::xarray<T> expected = support::expect(call);
        const xt::xarray<double> bound = support::expect_bound(call);
        try {
            return run(call, expected, bound);
        } catch (const xeinsum::einsum_error& e) {
            const bool forced = case_.options.lowering != xeinsum::lowering::automatic;
            const bool refused = e.code() == xeinsum::error_code::lowering_not_applicable;
            return forced && refused ? "" : std::string("refused: ") + e.what();
        }
    }

private:
    std::string run(const support::call<T>& call, const xt::xarray<T>& expected,
                    const xt::xarray<double>& bound) {
        if (case_.mode == call_mode::einsum) {
            return compare(support::evaluate(call), expected, bound, nullptr);
        }
        const strided_array<T> out = output_for(call, expected);
        const xt::xarray<T> old = out.values();
        const auto alpha = number<T>(case_.alpha);
        const auto beta = number<T>(case_.beta);
        if (case_.mode == call_mode::plan) {
            support::run_plan(out, alpha, beta, call);
        } else {
            support::evaluate_to(out, alpha, beta, call);
        }
        if (case_.mode != call_mode::in_place && !out.gaps_are_untouched()) {
            return "wrote between the elements of the output";
        }
        return compare(out.values(), expected, bound, &old);
    }

    /// An output that lies anyhow, or an operand of the right shape in whose place the result goes.
    strided_array<T> output_for(const support::call<T>& call, const xt::xarray<T>& expected) const {
        const shape extents(expected.shape().begin(), expected.shape().end());
        if (case_.mode == call_mode::in_place) {
            for (std::size_t i = 0; i < call.operands.size(); ++i) {
                const auto& steps = case_.terms[i].lies.steps;
                if (case_.terms[i].extents == extents &&
                    std::find(steps.begin(), steps.end(), 0) == steps.end()) {
                    return call.operands[i];
                }
            }
        }
        const auto lies = support::random_placement(extents.size(), case_.seed, false);
        return strided_array<T>::lying(extents, lies.order, lies.steps,
                                       element_source<T>(case_.seed + 1, false, false));
    }

    /// Elementwise comparison with alpha * expected + beta * old.
    std::string compare(const xt::xarray<T>& found, const xt::xarray<T>& expected,
                        const xt::xarray<double>& bound, const xt::xarray<T>* old) const {
        if (!std::equal(found.shape().begin(), found.shape().end(), expected.shape().begin(),
                        expected.shape().end())) {
            return "the shape is wrong";
        }
        const auto alpha = number<T>(case_.alpha);
        const auto beta = number<T>(case_.beta);
        for (std::size_t i = 0; i < expected.size(); ++i) {
            const T before = old == nullptr ? T(0) : old->storage()[i];
            const T wanted = combine(alpha, expected.storage()[i], before, beta);
            const T result = found.storage()[i];
            const bool both_nan = wanted != wanted && result != result;
            if (result == wanted || both_nan) {
                continue;
            }
            if (!std::is_integral_v<T>) {
                // Scaling the sum, and adding beta * out block by block, rounds a little more.
                const double unit = std::numeric_limits<typename real_of<T>::type>::epsilon() / 2;
                const double kept =
                    case_.beta == 0 ? 0 : 5000 * unit * std::abs(case_.beta) * size_of(before);
                const double limit = 2 * std::abs(case_.alpha) * bound.storage()[i] + kept;
                const T off = found.storage()[i] - wanted;
                if (size_of(off) <= (old == nullptr ? bound.storage()[i] : limit)) {
                    continue;
                }
            }
            return "element " + std::to_string(i) + " is off by " +
                   std::to_string(distance(result, wanted)) + ", bound " +
                   std::to_string(bound.storage()[i]);
        }
        return "";
    }

    static double distance(const T& a, const T& b) {
        if constexpr (std::is_integral_v<T>) {
            return std::abs(static_cast<double>(a) - static_cast<double>(b));
        } else {
            return size_of(T(a - b));
        }
    }

    const random_case& case_;
};

template <class T>
std::string failure_of(const random_case& c) {
    return check<T>(c).run();
}

/// Follows simpler cases as long as they fail too.
template <class T>
random_case shrink(random_case c) {
    for (bool progress = true; progress;) {
        progress = false;
        for (const random_case& simpler : support::simpler_cases(c)) {
            bool fails = false;
            try {
                fails = !failure_of<T>(simpler).empty();
            } catch (const std::exception&) {
                // No longer a valid call.
            }
            if (fails) {
                c = simpler;
                progress = true;
                break;
            }
        }
    }
    return c;
}

[[nodiscard]] inline std::uint64_t setting(const char* name, std::uint64_t fallback) {
    const char* value = std::getenv(name);
    return value == nullptr ? fallback : std::stoull(value);
}

/// Plans are for a machine, if one is given.
template <class T>
void check_cases(std::uint64_t first, std::uint64_t count,
                 const xeinsum::machine* machine = nullptr) {
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
        random_case c = support::make_case(seed);
        c.options.machine = machine;
        const std::string failure = failure_of<T>(c);
        if (!failure.empty()) {
            const random_case simplest = shrink<T>(c);
            FAIL_CHECK(c.text() << "\n  " << failure << "\n  simplest: " << simplest.text()
                                << "\n  " << failure_of<T>(simplest));
            return;
        }
    }
}

/// Calls check(first seed, number) with what the environment asks for, else with so many cases.
template <class Check>
void for_seeds(std::uint64_t cases, Check check) {
    const std::uint64_t seed = setting("XEINSUM_RANDOM_SEED", 1);
    const std::uint64_t count = setting("XEINSUM_RANDOM_CASES", cases);
    MESSAGE("seed " << seed << ", " << count << " cases");
    check(seed, count);
}

}  // namespace random_calls
