#include <xeinsum/dispatch/instances.hpp>

#include <doctest/doctest.h>

#include <type_traits>

// What <xeinsum/compiled.hpp> does for each element type that the library has.
XEINSUM_INSTANTIATE_REALS(extern, float);

TEST_CASE("what the library has is declared, and known to be elsewhere") {
    CHECK(decltype(compiled_elsewhere(xeinsum::detail::element_tag<float>()))::value);
    const auto& runner =
        xeinsum::detail::runner_of<float, xeinsum::kernel::any_cpu, xeinsum::kernel::sum_steps>;
    const auto run = &xeinsum::detail::run_as_planned<float, xeinsum::kernel::any_cpu,
                                                      xeinsum::kernel::all_steps>;
    CHECK((runner.plan == run));
}
