#include <xeinsum/plan/step/step.hpp>

#include "../../support/both.hpp"

#include <type_traits>

TEST_CASE("a plan is read through its view") {
    support::check_both([] {
        xeinsum::basic_plan_data<xeinsum::pair_storage> d;
        d.operand_count = 1;
        d.labels.push_back(7);
        d.label_strides.push_back(3);
        d.arrays.push_back({});            // the result, without labels
        d.arrays.push_back({0, 1, 1, 0});  // the operand
        d.inputs.push_back(0);
        xeinsum::step s;
        s.input_count = 1;
        d.steps.push_back(s);
        const auto view = d.view();
        return view.inputs_of(view.steps[0])[0] == 0 && view.term(0).labels[0] == 7 &&
               view.term(0).strides[0] == 3 && view.term(xeinsum::result_array).labels.empty();
    });
}

TEST_CASE("steps are plain data") {
    static_assert(std::is_trivially_copyable_v<xeinsum::step>);
    CHECK(xeinsum::step{}.output == xeinsum::result_array);
}
