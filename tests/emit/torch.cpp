#include <xeinsum/emit/torch.hpp>

#include "../support/shared_emission.hpp"

#include <xeinsum/compiled.hpp>
#include <xeinsum/emit.hpp>
#include <xeinsum/plan.hpp>

#include <doctest/doctest.h>

#include <cstdint>

using xeinsum::make_plan;
using xeinsum::target;

TEST_CASE("a graph convolution in torch's words") {
    CHECK(make_plan<float>("nctw,cd->ndtw", {{8, 64, 300, 25}, {64, 128}}).emit(target::torch) ==
          "# nctw,cd->ndtw for (8, 64, 300, 25), (64, 128)\n"
          "def einsum(a, b):\n"
          "    return (b.permute(1, 0) @ a.reshape(8, 64, 7500)).reshape(8, 128, 300, 25)\n");
    CHECK(make_plan<float>("nkctv,kvw->nctw", {{8, 3, 64, 150, 25}, {3, 25, 25}})
              .emit(target::torch, {.function = "spatial"}) ==
          "# nkctv,kvw->nctw for (8, 3, 64, 150, 25), (3, 25, 25)\n"
          "def spatial(a, b):\n"
          "    return a.permute(0, 2, 3, 1, 4).reshape(8, 64, 150, 75) @ b.reshape(75, 25)\n");
}

TEST_CASE("a product that is stored is announced") {
    CHECK(make_plan<double>("zabcde,zabcdef->zcdef",
                            {{1, 500, 7, 4, 13, 8}, {1, 500, 7, 4, 13, 8, 32}})
              .emit(target::torch) ==
          "# zabcde,zabcdef->zcdef for (1, 500, 7, 4, 13, 8), (1, 500, 7, 4, 13, 8, 32)\n"
          "def einsum(a, b):\n"
          "    # stores a product of 46592000 elements, 355.5 MiB\n"
          "    return (a.reshape(1, 500, 7, 4, 13, 8, 1) * b).sum((1, 2))\n");
}

TEST_CASE("a depthwise step is a grouped convolution") {
    xeinsum::options wanted;
    wanted.lowering = xeinsum::lowering::depthwise_convolution;
    CHECK(make_plan<float>("bchw,chw->bc", {{2, 3, 4, 5}, {3, 4, 5}}, wanted).emit(target::torch) ==
          "# bchw,chw->bc for (2, 3, 4, 5), (3, 4, 5)\n"
          "def einsum(a, b):\n"
          "    return torch.conv2d(a, b.reshape(3, 1, 4, 5), groups=3).reshape(2, 3)\n");
    // torch convolves floating-point numbers only.
    CHECK(make_plan<std::int64_t>("bchw,chw->bc", {{2, 3, 4, 5}, {3, 4, 5}}, wanted)
              .emit(target::torch)
              .find("conv2d") == std::string::npos);
}

TEST_CASE("sums of integers keep their type; nothing to sum is zeros") {
    CHECK(make_plan<std::int32_t>("ij->j", {{2, 3}}).emit(target::torch) ==
          "# ij->j for (2, 3)\ndef einsum(a):\n    return a.sum(0, dtype=a.dtype)\n");
    CHECK(make_plan<float>("ij->j", {{0, 3}}).emit(target::torch) ==
          "# ij->j for (0, 3)\ndef einsum(a):\n    return a.new_zeros((3,))\n");
}
