// Weights that a model stores in files beside it: the "w" of "ij,jk->ik" as bytes 4096 to 8191 of
// "model.data".
#pragma once

#include "output_file.hpp"

#include <onnx/onnx_pb.h>

#include <filesystem>
#include <set>

namespace deinsum {

/// The files that tensors of a model in this folder refer to.
[[nodiscard]] std::set<std::filesystem::path> data_files(onnx::ModelProto& model,
                                                         const std::filesystem::path& folder);

/// Copies what the tensors refer to into one file and lets them refer to that. Throws error where
/// a file cannot be read, is too short, or lies outside of the folder, which ONNX forbids.
void move_data(onnx::ModelProto& model, const std::filesystem::path& folder, output_file& to);

}  // namespace deinsum
