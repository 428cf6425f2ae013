// Runs small ONNX graphs on numbers, such as Transpose and MatMul for "ij,kj->ik": plain loops over
// doubles, for the operators that replace an Einsum.
#pragma once

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace evaluator {

struct tensor {
    std::vector<std::int64_t> extents{};
    std::vector<double> elements{};  ///< row-major
};

using values = std::map<std::string, tensor>;

/// Adds to the inputs every value that the graph computes. Throws std::runtime_error for an
/// operator that it does not know or that does not fit.
[[nodiscard]] values run(const onnx::GraphProto& graph, values inputs, int opset);

/// Elements of float, double, int32 or int64.
[[nodiscard]] tensor read(const onnx::TensorProto& from);

}  // namespace evaluator
