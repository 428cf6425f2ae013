#include <xeinsum/emit/onnx.hpp>

#include "../support/emitted.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace xeinsum::emission;

namespace {

onnx_graph graph(const program& p, int opset = 13) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < p.operands.size(); ++i) {
        names.push_back(operand_name(i));
    }
    return onnx_writer(p, names, "y", "t", opset).write(element_of<float>());
}

std::vector<std::string> types(const onnx_graph& g) {
    std::vector<std::string> all;
    for (const onnx_node& n : g.nodes) {
        all.push_back(n.type);
    }
    return all;
}

using list = std::vector<std::string>;
using numbers = std::vector<std::int64_t>;

constexpr abilities able{.diagonal = false};

}  // namespace

TEST_CASE("an equation that does nothing is Identity") {
    const onnx_graph g = graph(support::emitted("ij->ij", {{2, 3}}));
    REQUIRE(types(g) == list{"Identity"});
    CHECK(g.nodes[0].inputs == list{"a"});
    CHECK(g.nodes[0].output == "y");
}

TEST_CASE("axes of a sum are an input from opset 13 on") {
    const program p = support::emitted("ijk->j", {{2, 3, 4}});
    const onnx_graph now = graph(p);
    REQUIRE(types(now) == list{"ReduceSum"});
    REQUIRE(now.constants.size() == 1);
    CHECK(now.constants[0].elements == numbers{0, 2});
    CHECK(now.nodes[0].inputs.size() == 2);
    const onnx_graph before = graph(p, 11);
    CHECK(before.constants.empty());
    REQUIRE(before.nodes[0].attributes.size() == 2);
    CHECK(before.nodes[0].attributes[0].name == "axes");
}

TEST_CASE("a diagonal is a slice, or before opset 10 gathered") {
    const program p = support::emitted("ii->i", {{3, 3}}, "", able);
    CHECK(types(graph(p)) == list{"Reshape", "Slice"});
    const onnx_graph before = graph(p, 9);
    CHECK(types(before) == list{"Reshape", "Gather"});
    CHECK(before.constants.back().elements == numbers{0, 4, 8});
}

TEST_CASE("unknown extents are 0 and -1 in shapes as far as these reach") {
    // One unknown extent
    onnx_graph g =
        graph(support::emitted("nctw,cd->ndtw", {{8, 64, 30, 25}, {64, 128}}, "n", able));
    CHECK(types(g) == list{"Transpose", "Reshape", "MatMul", "Reshape"});
    CHECK(g.constants[0].elements == numbers{-1, 64, 750});
    CHECK(g.constants[1].elements == numbers{-1, 128, 30, 25});
    // Two, one of them in place
    g = graph(support::emitted("nctw,cd->ndtw", {{8, 64, 30, 25}, {64, 128}}, "nt", able));
    CHECK(g.constants[0].elements == numbers{0, 64, -1});
    CHECK(g.constants[1].elements == numbers{0, 128, -1, 25});
    // An axis of extent 1 between axes that move
    g = graph(support::emitted("nmp,kp->nkmp", {{4, 5, 6}, {7, 6}}, "nmkp", able));
    CHECK(types(g) == list{"Unsqueeze", "Reshape", "Mul"});
    // Two that part: one is read from an operand
    g = graph(support::emitted("ntuc,cd->dntu", {{8, 30, 25, 64}, {64, 128}}, "ntu", able));
    CHECK(types(g) == list{"Transpose", "Transpose", "Reshape", "MatMul", "Shape", "Gather",
                           "Shape", "Gather", "Concat", "Reshape"});
}

TEST_CASE("a product that is stored is announced") {
    const program p = support::emitted("abc,abcd->cd", {{500, 7, 40}, {500, 7, 40, 32}}, "", able);
    const onnx_graph g = graph(p);
    REQUIRE(types(g) == list{"Reshape", "Mul", "ReduceSum"});
    REQUIRE(g.warnings.size() == 1);
    CHECK(g.warnings[0].first == 1);
}
