#include "external_data.hpp"

#include "scope.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace deinsum {

namespace fs = std::filesystem;

namespace {

/// Where a tensor's bytes begin, for readers that map files into memory.
constexpr std::uint64_t alignment = 4096;

/// Calls f with every tensor of a model whose elements lie in a file of their own: weights,
/// attributes, those of subgraphs and functions. Field by field, as protobuf knows the fields of a
/// message by itself only where onnx was not built for its lite runtime.
template <class F>
class external_tensors {
public:
    explicit external_tensors(F f) : f_(f) {}

    void visit(onnx::ModelProto& model) {
        if (model.has_graph()) {
            visit(*model.mutable_graph());
        }
        for (auto& training : *model.mutable_training_info()) {
            if (training.has_initialization()) {
                visit(*training.mutable_initialization());
            }
            if (training.has_algorithm()) {
                visit(*training.mutable_algorithm());
            }
        }
        for (auto& function : *model.mutable_functions()) {
            visit_all(function.mutable_node());
            visit_defaults(function);
        }
    }

private:
    void visit(onnx::GraphProto& graph) {
        visit_all(graph.mutable_initializer());
        visit_all(graph.mutable_sparse_initializer());
        visit_all(graph.mutable_node());
    }
    void visit(onnx::NodeProto& node) { visit_all(node.mutable_attribute()); }
    void visit(onnx::AttributeProto& attribute) {
        if (attribute.has_t()) {
            visit(*attribute.mutable_t());
        }
        if (attribute.has_g()) {
            visit(*attribute.mutable_g());
        }
        if (attribute.has_sparse_tensor()) {
            visit(*attribute.mutable_sparse_tensor());
        }
        visit_all(attribute.mutable_tensors());
        visit_all(attribute.mutable_graphs());
        visit_all(attribute.mutable_sparse_tensors());
    }
    void visit(onnx::SparseTensorProto& tensor) {
        if (tensor.has_values()) {
            visit(*tensor.mutable_values());
        }
        if (tensor.has_indices()) {
            visit(*tensor.mutable_indices());
        }
    }
    void visit(onnx::TensorProto& tensor) {
        if (tensor.data_location() == onnx::TensorProto::EXTERNAL) {
            f_(tensor);
        }
    }
    /// What attributes of a function are where a node does not say; onnx 1.13 and newer.
    template <class Function>
    void visit_defaults(Function& function) {
        if constexpr (requires { function.mutable_attribute_proto(); }) {
            visit_all(function.mutable_attribute_proto());
        }
    }
    template <class Messages>
    void visit_all(Messages* messages) {
        for (auto& message : *messages) {
            visit(message);
        }
    }

    F f_;
};

std::string entry(const onnx::TensorProto& tensor, const char* key) {
    for (const auto& e : tensor.external_data()) {
        if (e.key() == key) {
            return e.value();
        }
    }
    return {};
}

/// Nothing where the tensor does not say.
std::optional<std::uint64_t> number(const onnx::TensorProto& tensor, const char* key) {
    const std::string text = entry(tensor, key);
    if (text.empty()) {
        return std::nullopt;
    }
    std::uint64_t n = 0;
    const char* end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, n);
    if (read.ec != std::errc{} || read.ptr != end) {
        throw error("tensor '" + tensor.name() + "': no " + key + " in a file: " + text);
    }
    return n;
}

/// Bytes of a file.
struct range {
    fs::path file{};
    std::uint64_t offset = 0;
    std::uint64_t length = 0;

    bool operator<(const range& other) const {
        return std::tie(file, offset, length) < std::tie(other.file, other.offset, other.length);
    }
};

range range_of(const onnx::TensorProto& tensor, const fs::path& folder) {
    const fs::path location = entry(tensor, "location");
    if (location.empty() || location.is_absolute() ||
        std::find(location.begin(), location.end(), "..") != location.end()) {
        throw error("tensor '" + tensor.name() +
                    "': its data is in no file below the model's folder: '" + location.string() +
                    '\'');
    }
    range r{folder / location, number(tensor, "offset").value_or(0), 0};
    std::error_code reason;
    const std::uint64_t size = fs::file_size(r.file, reason);
    if (reason) {
        throw error("cannot read " + r.file.string() + ": " + reason.message());
    }
    const std::uint64_t rest = size - std::min(size, r.offset);
    r.length = number(tensor, "length").value_or(rest);
    if (r.length > rest || r.offset > size) {
        throw error(r.file.string() + " ends before the data of tensor '" + tensor.name() + '\'');
    }
    return r;
}

void copy(const range& from, output_file& to) {
    std::ifstream in(from.file, std::ios::binary);
    in.seekg(static_cast<std::streamoff>(from.offset));
    std::string piece(1 << 20, '\0');
    for (std::uint64_t left = from.length; left > 0;) {
        const std::uint64_t wanted = std::min<std::uint64_t>(left, piece.size());
        if (!in.read(piece.data(), static_cast<std::streamsize>(wanted))) {
            throw error("cannot read " + from.file.string());
        }
        to.append({piece.data(), wanted});
        left -= wanted;
    }
}

void refer(onnx::TensorProto& tensor, const std::string& location, std::uint64_t offset,
           std::uint64_t length) {
    tensor.clear_external_data();
    const auto add = [&](const char* key, const std::string& value) {
        auto* e = tensor.add_external_data();
        e->set_key(key);
        e->set_value(value);
    };
    add("location", location);
    add("offset", std::to_string(offset));
    add("length", std::to_string(length));
}

}  // namespace

std::set<fs::path> data_files(onnx::ModelProto& model, const fs::path& folder) {
    std::set<fs::path> files;
    external_tensors([&](const onnx::TensorProto& t) {
        files.insert(folder / entry(t, "location"));
    }).visit(model);
    return files;
}

void move_data(onnx::ModelProto& model, const fs::path& folder, output_file& to) {
    std::map<range, std::uint64_t> moved;  // tied weights are stored once
    std::uint64_t end = 0;
    external_tensors([&](onnx::TensorProto& tensor) {
        const range from = range_of(tensor, folder);
        const auto [at, is_new] =
            moved.try_emplace(from, (end + alignment - 1) / alignment * alignment);
        if (is_new) {
            to.append(std::string(at->second - end, '\0'));
            copy(from, to);
            end = at->second + from.length;
        }
        refer(tensor, to.name().filename().string(), at->second, from.length);
    }).visit(model);
}

}  // namespace deinsum
