#include <xeinsum/plan/path/cost.hpp>

#include "../../support/both.hpp"

using xeinsum::path_cost;
using xeinsum::step_sizes;

TEST_CASE("a step counts a multiplication for each product and an addition where it sums") {
    support::check_both([] {
        const step_sizes product{6, 10, 30, 30, false};  // "ij,ik->ijk" with 2, 3, 5
        const step_sizes sum{6, 15, 10, 30, true};       // "ij,jk->ik"
        return path_cost{}(product) == 30 && path_cost{}(sum) == 60 &&
               path_cost{0, 1, 0}(sum) == 31 && path_cost{1, 2, 3}(sum) == 60 + 62 + 3;
    });
}
