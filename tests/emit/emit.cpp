#include <xeinsum/emit/emit.hpp>

#include <xeinsum/compiled.hpp>
#include <xeinsum/plan.hpp>

#include <doctest/doctest.h>

#include <string>

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
