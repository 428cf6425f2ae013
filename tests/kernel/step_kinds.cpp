#include <xeinsum/kernel/step_kinds.hpp>

#include <doctest/doctest.h>

using xeinsum::kernel::all_steps;
using xeinsum::kernel::batch_product_sum_steps;
using xeinsum::kernel::matrix_steps;
using xeinsum::kernel::step_kinds;
using xeinsum::kernel::sum_steps;

TEST_CASE("one and two inputs are told apart from more, and from none") {
    CHECK(step_kinds::of_inputs(0).most_inputs == 0);
    CHECK(step_kinds::of_inputs(1).of_nests() == sum_steps);
    CHECK(step_kinds::of_inputs(2) == batch_product_sum_steps);
    CHECK(step_kinds::of_inputs(3) == all_steps);
    CHECK(step_kinds::of_inputs(70) == all_steps);
}

TEST_CASE("a step has as many inputs as a call that is one step") {
    CHECK(matrix_steps.least_inputs() == 2);
    CHECK(matrix_steps.of_nests().least_inputs() == 2);
    CHECK(batch_product_sum_steps.least_inputs() == 1);
    CHECK(sum_steps.least_inputs() == 1);
}
