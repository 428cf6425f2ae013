// Models of one Einsum node: "ij,jk->ik" on inputs x0 and x1 with output y.
#pragma once

#include "../support/table.hpp"

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace models {

template <class Message>
[[nodiscard]] Message read(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    Message message;
    if (!message.ParseFromIstream(&in)) {
        throw std::runtime_error("cannot read " + file.string());
    }
    return message;
}

[[nodiscard]] inline std::string field(const support::table_row& row, const char* name) {
    return row.find(name)->second;
}

[[nodiscard]] std::string operand_name(std::size_t i);

/// Extents of -1 are left open.
[[nodiscard]] onnx::ModelProto of(const std::string& equation,
                                  const std::vector<std::vector<std::int64_t>>& extents,
                                  int type = onnx::TensorProto::FLOAT);

/// Leaves an extent of an input open, with a name.
void open_extent(onnx::ModelProto& model, int input, int axis, const std::string& name);

/// Makes an input of float an initialiser, 1 2 3 and so on.
void make_constant(onnx::ModelProto& model, int input);

/// Whether a model tells the extents of its inputs.
enum class extents : unsigned char { known, unknown };

/// A row of einsum.tsv; nothing for complex elements, which no runtime has, and, with unknown
/// extents, for extents of 0 and for a label that a term repeats. Extents of 1 are always known.
[[nodiscard]] std::optional<onnx::ModelProto> of_row(const support::table_row& row, extents kind);

}  // namespace models
