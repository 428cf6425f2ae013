// Transposes and reshapes of constant tensors, done while the model is rewritten: a weight of
// "cd,nctw->ndtw" is stored as (d, c).
#pragma once

#include <onnx/onnx_pb.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace deinsum {

/// Bytes of an element, 0 where they are not known.
[[nodiscard]] std::size_t element_bytes(int type);

/// The tensor with its axes in another order; nothing for element types whose bytes are not known.
[[nodiscard]] std::optional<onnx::TensorProto> transposed(const onnx::TensorProto& tensor,
                                                          const std::vector<std::int64_t>& order);

/// The tensor with other extents, one of which may be -1, or 0 for that of the same axis.
[[nodiscard]] onnx::TensorProto reshaped(const onnx::TensorProto& tensor,
                                         const std::vector<std::int64_t>& extents);

/// A tensor of int64 with one axis.
[[nodiscard]] onnx::TensorProto tensor_of(const std::string& name,
                                          const std::vector<std::int64_t>& elements);

}  // namespace deinsum
