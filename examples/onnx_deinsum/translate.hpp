// One Einsum node against what is known of its operands: "ij,jk->ik" on (n, 3) and (3, 4), where n
// is known at run time only, becomes operators.
#pragma once

#include "scope.hpp"

#include <onnx/onnx_pb.h>
#include <xeinsum/emit/onnx.hpp>

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace deinsum {

/// Whom the operators are for.
enum class engine : unsigned char {
    standard,  ///< all that keep to the standard
    opencv,    ///< OpenCV 4.6 too, which reads less than the standard says
};

/// Stands for an extent that is known at run time only.
constexpr std::int64_t example_extent = 32;

/// What a node was and what it becomes.
struct replacement {
    std::string node{};
    std::string equation{};
    std::vector<std::string> shapes{};  ///< of the operands, "(n, 3)"
    std::string classes{};
    std::vector<std::string> operators{};
    /// Names of extents that only the run tells, "?" for those without.
    std::set<std::string> open_extents{};
    double flops = 0;  ///< with example_extent for open ones
    double bytes = 0;  ///< of operands and result
};

/// The operators with their place in a model's names.
struct translation {
    replacement told{};
    xeinsum::emission::onnx_graph graph{};
    int element_type = 0;
    onnx::TensorShapeProto shape{};  ///< of the result, with the operands' names for open extents
};

/// Throws error where the node has no equation, the rank of an operand is not known or the equation
/// does not fit.
[[nodiscard]] translation translate(const onnx::NodeProto& node, const scope& known,
                                    const std::string& prefix, int opset, engine target);

}  // namespace deinsum
