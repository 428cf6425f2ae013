#include <xeinsum/emit/xtensor.hpp>

#include <xeinsum/compiled.hpp>
#include <xeinsum/emit.hpp>
#include <xeinsum/plan.hpp>
#include <xeinsum/reference/bound.hpp>
#include <xeinsum/reference/einsum.hpp>

#include <doctest/doctest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

// What is emitted, compiled; dot is xtensor-blas's there.
#include "../support/shared_emission.hpp"
#include "xtensor_functions.hpp"

namespace {

using array = xt::xarray<float>;

array filled(const std::vector<std::size_t>& extents, int seed) {
    auto a = array::from_shape(extents);
    int n = seed;
    for (float& element : a) {
        n = (n * 7 + 3) % 101;
        element = static_cast<float>(n - 50) / 8;
    }
    return a;
}

std::string stored_functions() {
    const std::ifstream file(XEINSUM_TEST_EMIT "/xtensor_functions.hpp");
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

using shapes = std::vector<std::vector<std::size_t>>;

/// The stored file holds the function that is emitted, and the function computes the equation.
template <class Function>
void check(const std::string& name, const char* equation, const shapes& extents,
           const std::vector<std::string>& dynamic, const shapes& run_extents, Function function) {
    CAPTURE(equation);
    const auto plan = xeinsum::make_plan<float>(equation, extents);
    const std::string text =
        plan.emit(xeinsum::target::xtensor, {.dynamic = dynamic, .function = name});
    CAPTURE(text);
    CHECK(stored_functions().find(text) != std::string::npos);
    std::vector<array> operands;
    for (std::size_t k = 0; k < run_extents.size(); ++k) {
        operands.push_back(filled(run_extents[k], static_cast<int>(k) + 1));
    }
    const array found = function(operands);
    const auto expected = xeinsum::reference::einsum(equation, operands);
    const auto bound = xeinsum::reference::bound(equation, operands);
    REQUIRE(found.shape() == expected.shape());
    CHECK(xeinsum::reference::worst_ratio(found, expected, bound) <= 1);
}

}  // namespace

TEST_CASE("emitted functions of xtensor containers compile and compute their equations") {
    check("product", "ij,jk->ik", {{3, 4}, {4, 5}}, {}, {{3, 4}, {4, 5}},
          [](const auto& x) { return product(x[0], x[1]); });
    check("channels", "nctw,cd->ndtw", {{8, 64, 30, 25}, {64, 16}}, {"n", "t"},
          {{2, 64, 5, 25}, {64, 16}}, [](const auto& x) { return channels(x[0], x[1]); });
    check("batch", "bij,bjk->bki", {{2, 3, 4}, {2, 4, 5}}, {}, {{2, 3, 4}, {2, 4, 5}},
          [](const auto& x) { return batch(x[0], x[1]); });
    check("traces", "bii->b", {{4, 3, 3}}, {}, {{4, 3, 3}},
          [](const auto& x) { return traces(x[0]); });
    check("inner", "ij,ij->", {{4, 3}, {4, 3}}, {}, {{4, 3}, {4, 3}},
          [](const auto& x) { return inner(x[0], x[1]); });
    check("scan", "bld,bln,bld->bldn", {{1, 4, 3}, {1, 4, 2}, {1, 4, 3}}, {},
          {{1, 4, 3}, {1, 4, 2}, {1, 4, 3}}, [](const auto& x) { return scan(x[0], x[1], x[2]); });
    check("nothing", "ij,jk->ik", {{2, 0}, {0, 3}}, {}, {{2, 0}, {0, 3}},
          [](const auto& x) { return nothing(x[0], x[1]); });
}
