#include <xeinsum/dispatch/kernels.hpp>

#include <xeinsum/call/reduction.hpp>

#include <doctest/doctest.h>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace dispatch = xeinsum::dispatch;
using xeinsum::reduction;

TEST_CASE_TEMPLATE("there is a table for each element type, always the same", T, float, double,
                   std::complex<float>, std::complex<double>, std::int32_t, std::int64_t) {
    const dispatch::kernels<T>& k = dispatch::chosen<T>();
    CHECK(&k == &dispatch::chosen<T>());
    CHECK(k.on.element_bytes == sizeof(T));
    CHECK((k.run_recipe && k.run_small && k.run_few_loops && k.prepack && k.prepacked_elements));
    const auto has = [&](reduction op) { return k.folds[static_cast<std::size_t>(op)] != nullptr; };
    CHECK((has(reduction::sum) && has(reduction::prod)));
    CHECK(has(reduction::max) == std::is_arithmetic_v<T>);
    CHECK(has(reduction::min) == std::is_arithmetic_v<T>);
    CHECK(has(reduction::mean) == !std::is_integral_v<T>);
}
