// The library in one page: auto y = xeinsum::einsum<"nctw,cd->ndtw">(x, w), the plan of
// "nkctv,kvw->nctw", its result beside the reference, and what a wrong call says.
#include <xeinsum/xeinsum.hpp>

#include <cstdint>
#include <cstdlib>
#include <iostream>

namespace {

/// Numbers between -1 and 1 that repeat after 4093 elements.
template <class Array>
Array numbers(const typename Array::shape_type& shape, std::uint32_t first) {
    auto a = Array::from_shape(shape);
    for (float& x : a.storage()) {
        first = (first * 1021 + 17) % 4093;
        x = static_cast<float>(first) / 2046.0F - 1.0F;
    }
    return a;
}

/// A result at most as far from the reference as rounding allows has a ratio of at most 1.
template <class Result, class... Operands>
bool agrees(const char* equation, const Result& result, const Operands&... operands) {
    const double ratio =
        xeinsum::reference::worst_ratio(result, xeinsum::reference::einsum(equation, operands...),
                                        xeinsum::reference::bound(equation, operands...));
    std::cout << "worst error: " << ratio << " of what rounding allows\n";
    return ratio <= 1;
}

bool ten_lines() {
    std::cout << "== auto y = xeinsum::einsum<\"nctw,cd->ndtw\">(x, w);\n";
    const auto x = numbers<xt::xtensor<float, 4>>({2, 3, 5, 7}, 1);
    const auto w = numbers<xt::xtensor<float, 2>>({3, 4}, 2);
    const auto y = xeinsum::einsum<"nctw,cd->ndtw">(x, w);  // checked by the compiler
    std::cout << "y(1, 3, 4, 6) = " << y(1, 3, 4, 6) << '\n';
    return agrees("nctw,cd->ndtw", y, x, w);
}

bool plan_and_run() {
    std::cout << "\n== std::cout << xeinsum::make_plan<float>(\"nkctv,kvw->nctw\", shapes);\n";
    const auto plan =
        xeinsum::make_plan<float>("nkctv,kvw->nctw", {{8, 3, 64, 150, 25}, {3, 25, 25}});
    std::cout << plan;

    std::cout << "\n== plan.run(y, memory, x, a);\n";
    const auto x = numbers<xt::xtensor<float, 5>>({8, 3, 64, 150, 25}, 3);
    const auto a = numbers<xt::xtensor<float, 3>>({3, 25, 25}, 4);
    auto y = xt::xtensor<float, 4>::from_shape({8, 64, 150, 25});
    auto memory = plan.make_workspace();
    plan.run(y, memory, x, a);
    std::cout << "y(7, 63, 149, ...) =";
    for (std::size_t w = 0; w < 5; ++w) {
        std::cout << ' ' << y(7, 63, 149, w);
    }
    std::cout << " ...\n";
    // The last frame of the last sample: the reference takes its time.
    auto last_x = xt::xtensor<float, 5>::from_shape({1, 3, 64, 1, 25});
    auto last_y = xt::xtensor<float, 4>::from_shape({1, 64, 1, 25});
    for (std::size_t c = 0; c < 64; ++c) {
        for (std::size_t v = 0; v < 25; ++v) {
            for (std::size_t k = 0; k < 3; ++k) {
                last_x(0, k, c, 0, v) = x(7, k, c, 149, v);
            }
            last_y(0, c, 0, v) = y(7, c, 149, v);
        }
    }
    return agrees("nkctv,kvw->nctw", last_y, last_x, a);
}

bool wrong_call() {
    std::cout << "\n== a wrong call\n";
    const auto x = numbers<xt::xtensor<float, 4>>({2, 3, 5, 7}, 1);
    const auto w = numbers<xt::xtensor<float, 2>>({6, 4}, 2);
    try {
        static_cast<void>(xeinsum::einsum<"nctw,cd->ndtw">(x, w));
    } catch (const xeinsum::einsum_error& e) {
        std::cout << e.what() << '\n';
        return e.code() == xeinsum::error_code::extent_mismatch;
    }
    return false;
}

}  // namespace

int main() {
    const bool right = ten_lines() && plan_and_run() && wrong_call();
    if (!right) {
        std::cerr << "the tour failed: a result differs from the reference, or a wrong call was "
                     "accepted\n";
    }
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
