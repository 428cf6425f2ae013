// The selective scan of a state space model: "b l d_in, d_in n -> b l d_in n" and two more
// equations with named axes, one of them planned once and run in every step of the recurrence.
//
// Source: Gu and Dao, Mamba: Linear-Time Sequence Modeling with Selective State Spaces, 2023,
// algorithm 2 and section 3.2.
#include "support/arrays.hpp"
#include "support/checks.hpp"
#include "support/measure.hpp"
#include "support/memory.hpp"
#include "support/table.hpp"

#include <xeinsum/compiled.hpp>
#include <xeinsum/einsum.hpp>
#include <xeinsum/plan.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <iostream>
#include <limits>
#include <vector>

namespace {

using xt::all;
using xt::range;
using array_1 = xt::xtensor<float, 1>;
using array_2 = xt::xtensor<float, 2>;
using array_3 = xt::xtensor<float, 3>;
using array_4 = xt::xtensor<float, 4>;

/// What a layer computes from its input and learns.
struct inputs {
    array_3 u;      ///< b l d_in: the sequence
    array_3 delta;  ///< b l d_in: step sizes, positive
    array_2 A;      ///< d_in n: decay, negative
    array_3 B;      ///< b l n
    array_3 C;      ///< b l n
    array_1 D;      ///< d_in: the skip connection
};

inputs make_inputs(std::size_t b, std::size_t l, std::size_t d_in, std::size_t n) {
    inputs in{example::values<3>({b, l, d_in}, 1), example::values<3>({b, l, d_in}, 2),
              array_2::from_shape({d_in, n}),      example::values<3>({b, l, n}, 3),
              example::values<3>({b, l, n}, 4),    example::values<1>({d_in}, 5)};
    for (float& x : in.delta.storage()) {
        x = std::log1p(std::exp(3 * x - 3));  // softplus
    }
    for (std::size_t d = 0; d < d_in; ++d) {
        for (std::size_t s = 0; s < n; ++s) {
            in.A(d, s) = -static_cast<float>(s + 1);  // -exp(A_log), as models begin
        }
    }
    return in;
}

/// y (b l d_in) and the last state (b d_in n).
struct outputs {
    array_3 y;
    array_3 state;
    std::size_t allocations_in_loop = 0;
};

outputs scan(const inputs& in) {
    const auto [b, l, d_in] = in.u.shape();
    const std::size_t n = in.A.shape()[1];
    array_4 decay = xeinsum::einsum<"b l d_in, d_in n -> b l d_in n">(in.delta, in.A);
    for (float& x : decay.storage()) {
        x = std::exp(x);
    }
    const array_4 input =
        xeinsum::einsum<"b l d_in, b l n, b l d_in -> b l d_in n">(in.delta, in.B, in.u);

    outputs out{array_3::from_shape({b, l, d_in}), xt::zeros<float>({b, d_in, n})};
    const auto read_out =
        xeinsum::make_plan<float>("b d_in n, b n -> b d_in", {{b, d_in, n}, {b, n}});
    auto memory = read_out.make_workspace();
    const std::size_t before = example::allocations();
    for (std::size_t t = 0; t < l; ++t) {
        for (std::size_t s = 0; s < b; ++s) {
            const std::size_t states = d_in * n;
            float* x = out.state.data() + s * states;
            const float* keep = decay.data() + (s * l + t) * states;
            const float* add = input.data() + (s * l + t) * states;
            for (std::size_t i = 0; i < states; ++i) {
                x[i] = keep[i] * x[i] + add[i];
            }
        }
        read_out.run(xt::view(out.y, all(), t), memory, out.state, xt::view(in.C, all(), t));
    }
    out.allocations_in_loop = example::allocations() - before;
    for (std::size_t i = 0; i < out.y.size(); ++i) {
        out.y.storage()[i] += in.u.storage()[i] * in.D.storage()[i % d_in];
    }
    return out;
}

/// The largest error of y, as a part of what rounding allows: the recurrence in double, by hand,
/// which carries a bound on the error of the one in float along.
double error_of_scan(const inputs& in, const array_3& y) {
    constexpr double unit = static_cast<double>(std::numeric_limits<float>::epsilon()) / 2;
    const auto [b, l, d_in] = in.u.shape();
    const std::size_t n = in.A.shape()[1];
    const auto readout = static_cast<double>(n);
    double worst = 0;
    std::vector<double> state(n), error(n);
    for (std::size_t s = 0; s < b; ++s) {
        for (std::size_t d = 0; d < d_in; ++d) {
            std::fill(state.begin(), state.end(), 0.0);
            std::fill(error.begin(), error.end(), 0.0);
            for (std::size_t t = 0; t < l; ++t) {
                const double u = in.u(s, t, d), delta = in.delta(s, t, d);
                double sum = 0, magnitudes = 0, errors = 0;
                for (std::size_t i = 0; i < n; ++i) {
                    const double argument = delta * static_cast<double>(in.A(d, i));
                    const double keep = std::exp(argument);
                    const double add = delta * static_cast<double>(in.B(s, t, i)) * u;
                    // The argument's rounding, four for exp() (two units in its last place), one
                    // for the product; two for the input's products; one for the sum.
                    const double kept = keep * std::abs(state[i]);
                    error[i] = keep * error[i] + unit * ((std::abs(argument) + 5) * kept) +
                               unit * 2 * std::abs(add);
                    state[i] = keep * state[i] + add;
                    error[i] += unit * (std::abs(state[i]) + error[i]);
                    const double c = in.C(s, t, i);
                    sum += state[i] * c;
                    magnitudes += std::abs(state[i] * c);
                    errors += error[i] * std::abs(c);
                }
                const double skip = u * static_cast<double>(in.D(d));
                const double expected = sum + skip;
                // 1.01 stands for the products of roundings that are left out above.
                const double bound = 1.01 * (errors + unit * readout * magnitudes +
                                             unit * (std::abs(skip) + std::abs(expected)));
                const double ratio = std::abs(static_cast<double>(y(s, t, d)) - expected) / bound;
                worst = ratio <= worst ? worst : ratio;
                if (std::isnan(worst)) {
                    return worst;
                }
            }
        }
    }
    return worst;
}

/// Each equation against the reference: two steps of the sequence, or the last.
void check_equations(const inputs& in, const outputs& out, example::checks& check) {
    const std::size_t l = in.u.shape()[1];
    auto last = range(l - 2, l);
    const array_3 delta = xt::view(in.delta, all(), last), u = xt::view(in.u, all(), last),
                  B = xt::view(in.B, all(), last);
    const array_4 argument =
        xt::view(xeinsum::einsum<"b l d_in, d_in n -> b l d_in n">(in.delta, in.A), all(), last);
    check.against_reference("b l d_in, d_in n -> b l d_in n", argument, delta, in.A);
    const array_4 input =
        xt::view(xeinsum::einsum<"b l d_in, b l n, b l d_in -> b l d_in n">(in.delta, in.B, in.u),
                 all(), last);
    check.against_reference("b l d_in, b l n, b l d_in -> b l d_in n", input, delta, B, u);
    const array_2 C = xt::view(in.C, all(), l - 1);
    check.against_reference("b d_in n, b n -> b d_in",
                            xeinsum::einsum<"b d_in n, b n -> b d_in">(out.state, C), out.state, C);
}

}  // namespace

int main(int argc, char** argv) {
    const bool quick = example::is_quick(argc, argv);
    const std::size_t b = quick ? 2 : 1, l = quick ? 12 : 1024, d_in = quick ? 24 : 1536, n = 16;
    const inputs in = make_inputs(b, l, d_in, n);
    const outputs out = scan(in);

    example::checks check;
    check_equations(in, out, check);
    check.report("y against the recurrence in double", error_of_scan(in, out.y));
    check.require("no allocation in the loop", out.allocations_in_loop == 0);

    const std::array<std::function<void()>, 3> variants{
        [&] {
            static_cast<void>(xeinsum::einsum<"b l d_in, d_in n -> b l d_in n">(in.delta, in.A));
        },
        [&] {
            static_cast<void>(
                xeinsum::einsum<"b l d_in, b l n, b l d_in -> b l d_in n">(in.delta, in.B, in.u));
        },
        [&] { static_cast<void>(scan(in)); }};
    const auto m = example::measure(variants);
    const std::array<const char*, 3> names{"b l d_in, d_in n -> b l d_in n",
                                           "b l d_in, b l n, b l d_in -> b l d_in n",
                                           "the whole scan"};
    example::table table({"what", "time", "peak memory"});
    for (std::size_t i = 0; i < m.size(); ++i) {
        table.add(
            {names[i], example::milliseconds(m[i].seconds), example::megabytes(m[i].peak_bytes)});
    }
    std::cout << "\nb=" << b << " l=" << l << " d_in=" << d_in << " n=" << n << '\n' << table;
    return check.exit_code();
}
