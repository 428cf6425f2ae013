#include <xeinsum/emit/emit.hpp>

#include "../support/shared_emission.hpp"

#include <xeinsum/compiled.hpp>
#include <xeinsum/emit.hpp>
#include <xeinsum/plan.hpp>

#include <doctest/doctest.h>

#include <string>
#include <vector>

using xeinsum::emit_options;
using xeinsum::make_plan;
using xeinsum::target;

TEST_CASE("named labels may be unknown, and axes under an ellipsis") {
    const std::string named =
        make_plan<float>("b l d_in, d_in n -> b l d_in n", {{1, 4, 6}, {6, 2}})
            .emit(target::numpy, {.dynamic = {"d_in", "l"}});
    CHECK(named.find("extent_d_in = a.shape[2]") != std::string::npos);
    const std::string covered = make_plan<float>("...ij,j->...i", {{3, 7, 4, 6}, {6}})
                                    .emit(target::onnx_text, {.dynamic = {"..."}});
    CHECK(covered.find("float[A, B, 4, 6] a") != std::string::npos);
}

TEST_CASE("integer labels may be unknown: their names in a text are identifiers") {
    const auto eq = xeinsum::equation::from_labels({{-1, 7, 8}, {7, 8, 3, -2}}, {{3, -1, -2}});
    const auto p = make_plan<float>(eq, {{4, 5, 2}, {5, 2, 6, 3}});
    const emit_options ends{.dynamic = {"-1", "-2"}};
    CHECK(p.emit(target::numpy, ends) ==
          "# [-1,7,8],[7,8,3,-2]->[3,-1,-2] for (4, 5, 2), (5, 2, 6, 3)\n"
          "def einsum(a, b):\n"
          "    extent_label_minus_1 = a.shape[0]\n"
          "    extent_label_minus_2 = b.shape[3]\n"
          "    return (a.reshape(-1, 10) @ b.reshape(10, -1)).reshape(extent_label_minus_1, 6, "
          "extent_label_minus_2).transpose(1, 0, 2)\n");
    CHECK(p.emit(target::torch, ends).find("extent_-") == std::string::npos);
    CHECK(p.emit(target::onnx_text, ends)
              .find("(float[label_minus_1, 5, 2] a, float[5, 2, 6, label_minus_2] b) => "
                    "(float[6, label_minus_1, label_minus_2] result)") != std::string::npos);
    CHECK(p.emit(target::xtensor, ends).find("a.shape(0)") != std::string::npos);
    // "4" would be the extent 4.
    const auto q = make_plan<float>(xeinsum::equation::from_labels({{4, 5}, {5, 6}}, {{4, 6}}),
                                    {{2, 3}, {3, 7}});
    CHECK(q.emit(target::onnx_text, {.dynamic = {"4"}})
              .find("(float[label_4, 3] a, float[3, 7] b) => (float[label_4, 7] result)") !=
          std::string::npos);
}

TEST_CASE("names of labels in a text differ") {
    using names = std::vector<std::string>;
    using xeinsum::emission::identifier;
    CHECK(identifier("b_2", names{"b"}) == "b_2");
    CHECK(identifier("-12", names{"label_12"}) == "label_minus_12");
    CHECK(identifier("12", names{"label_12"}) == "label_12_");
    CHECK(identifier("...3", names{"A"}) == "ellipsis_3");
}

TEST_CASE("a target that there is not is refused") {
    try {
        static_cast<void>(make_plan<float>("ij->i", {{2, 3}}).emit(static_cast<target>(77)));
        FAIL("not refused");
    } catch (const xeinsum::einsum_error& e) {
        CHECK(e.code() == xeinsum::error_code::bad_option);
        CHECK(std::string(e.what()).find("target is 77") != std::string::npos);
    }
}

TEST_CASE("a dynamic label that the equation lacks is refused") {
    try {
        static_cast<void>(
            make_plan<float>("ij->i", {{2, 3}}).emit(target::torch, {.dynamic = {"k"}}));
        FAIL("not refused");
    } catch (const xeinsum::einsum_error& e) {
        CHECK(e.code() == xeinsum::error_code::not_emittable);
        CHECK(std::string(e.what()).find("ij->i") != std::string::npos);
    }
}

TEST_CASE("a diagonal of unknown extent is refused where it is a slice") {
    const auto p = make_plan<float>("bii->bi", {{2, 3, 3}});
    CHECK_THROWS_AS(static_cast<void>(p.emit(target::onnx_text, {.dynamic = {"i"}})),
                    xeinsum::einsum_error);
    CHECK(p.emit(target::numpy, {.dynamic = {"i", "b"}}).find("return a.diagonal(0, 1, 2)") !=
          std::string::npos);
}

TEST_CASE("operands of extent 1 are seen without that axis") {
    CHECK(make_plan<float>("ij,jk->ik", {{20, 1}, {30, 40}}).emit(target::numpy) ==
          "# ij,jk->ik for (20, 1), (30, 40)\n"
          "def einsum(a, b):\n"
          "    return a * b.sum(0)\n");
}
