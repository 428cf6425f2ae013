// Models as files: reads "ij,jk->ik" from one and writes its rewrite to another, with the weights
// that lie in further files.
#pragma once

#include <onnx/onnx_pb.h>

#include <filesystem>
#include <optional>

namespace deinsum {

/// Throws error where the file cannot be read or is no model.
[[nodiscard]] onnx::ModelProto read(const std::filesystem::path& file);

/// A file of the model read from in, itself or one of its weights, that writing to out would
/// replace, whatever the names by which both refer to it.
[[nodiscard]] std::optional<std::filesystem::path> overwritten(onnx::ModelProto& model,
                                                               const std::filesystem::path& in,
                                                               const std::filesystem::path& out);

/// Writes a model that was read from in. Where out is in another folder, weights in files are
/// copied to one beside it; returns its name. Throws error.
std::optional<std::filesystem::path> write(onnx::ModelProto& model, const std::filesystem::path& in,
                                           const std::filesystem::path& out);

}  // namespace deinsum
