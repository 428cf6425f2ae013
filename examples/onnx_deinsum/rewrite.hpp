// A whole model without Einsum: every node, such as "bij,bjk->bik", becomes standard operators in
// its place, in subgraphs too.
#pragma once

#include "translate.hpp"

#include <onnx/onnx_pb.h>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace deinsum {

/// The oldest opset whose MatMul and Reshape are written, and the newest that libonnx knows.
constexpr int oldest_opset = 9;
[[nodiscard]] int newest_opset();

struct request {
    /// Nodes whose name or equation holds one of these texts stay.
    std::vector<std::string> keep{};
    /// The opset that the model is to have; 0: its own. Others must mean the same in all other
    /// nodes.
    int opset = 0;
    engine target = engine::standard;
    /// Called whenever so many of all nodes are replaced, if it is set.
    std::function<void(std::size_t done, std::size_t all)> progress{};
};

/// Replaces every Einsum node and tells what became of each. Values, nodes and initialisers keep
/// their names; constant operands are permuted here and now. Throws error, which names the node.
std::vector<replacement> rewrite(onnx::ModelProto& model, const request& wanted = {});

/// The number of Einsum nodes, those in subgraphs included.
[[nodiscard]] std::size_t count_einsums(const onnx::GraphProto& graph);

}  // namespace deinsum
