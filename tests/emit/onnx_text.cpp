#include <xeinsum/emit/onnx_text.hpp>

#include "../support/shared_emission.hpp"

#include <xeinsum/compiled.hpp>
#include <xeinsum/emit.hpp>
#include <xeinsum/plan.hpp>

#include <doctest/doctest.h>

using xeinsum::make_plan;
using xeinsum::target;

TEST_CASE("a model in text") {
    CHECK(make_plan<float>("bld,dn->bldn", {{1, 4, 6}, {6, 2}})
              .emit(target::onnx_text, {.dynamic = {"l"}}) ==
          "# bld,dn->bldn for (1, 4, 6), (6, 2)\n"
          "<ir_version: 7, opset_import: [\"\" : 13]>\n"
          "einsum (float[1, l, 6] a, float[6, 2] b) => (float[1, l, 6, 2] result) {\n"
          "    t1 = Constant <value = int64[4] {1, -1, 6, 1}> ()\n"
          "    t0 = Reshape (a, t1)\n"
          "    result = Mul (t0, b)\n"
          "}\n");
}

TEST_CASE("axes of a sum are an attribute of older operators") {
    CHECK(make_plan<double>("ij->", {{2, 3}}).emit(target::onnx_text, {.opset = 11}) ==
          "# ij-> for (2, 3)\n"
          "<ir_version: 7, opset_import: [\"\" : 11]>\n"
          "einsum (double[2, 3] a) => (double result) {\n"
          "    result = ReduceSum <axes = [0, 1], keepdims = 0> (a)\n"
          "}\n");
}
