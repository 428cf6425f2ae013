#include <xeinsum/emit/numpy.hpp>

#include "../support/shared_emission.hpp"

#include <xeinsum/compiled.hpp>
#include <xeinsum/emit.hpp>
#include <xeinsum/plan.hpp>

#include <doctest/doctest.h>

using xeinsum::make_plan;
using xeinsum::target;

TEST_CASE("attention in numpy's words") {
    CHECK(make_plan<float>("bqhd,bkhd->bhqk", {{2, 512, 12, 64}, {2, 512, 12, 64}})
              .emit(target::numpy) ==
          "# bqhd,bkhd->bhqk for (2, 512, 12, 64), (2, 512, 12, 64)\n"
          "def einsum(a, b):\n"
          "    return a.transpose(0, 2, 1, 3) @ b.transpose(0, 2, 3, 1)\n");
}

TEST_CASE("numpy has no convolution") {
    xeinsum::options wanted;
    wanted.lowering = xeinsum::lowering::depthwise_convolution;
    const std::string text =
        make_plan<float>("bchw,chw->bc", {{2, 3, 4, 5}, {3, 4, 5}}, wanted).emit(target::numpy);
    CHECK(text.find("conv") == std::string::npos);
}

TEST_CASE("nothing to sum is zeros") {
    CHECK(make_plan<double>("i,i->", {{0}, {0}}).emit(target::numpy) ==
          "# i,i-> for (0,), (0,)\ndef einsum(a, b):\n    return np.zeros((), a.dtype)\n");
}
