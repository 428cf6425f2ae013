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

/// Calls f with every tensor that a message holds, at any depth, whose elements lie in a file of
/// their own: weights, attributes, those of subgraphs and functions.
template <class F>
void for_each_external(google::protobuf::Message& message, F f) {
    if (message.GetDescriptor() == onnx::TensorProto::descriptor()) {
        auto& tensor = static_cast<onnx::TensorProto&>(message);
        if (tensor.data_location() == onnx::TensorProto::EXTERNAL) {
            f(tensor);
        }
        return;
    }
    const auto* access = message.GetReflection();
    std::vector<const google::protobuf::FieldDescriptor*> fields;
    access->ListFields(message, &fields);
    for (const auto* field : fields) {
        if (field->cpp_type() != google::protobuf::FieldDescriptor::CPPTYPE_MESSAGE) {
            continue;
        }
        if (!field->is_repeated()) {
            for_each_external(*access->MutableMessage(&message, field), f);
            continue;
        }
        for (int i = 0; i < access->FieldSize(message, field); ++i) {
            for_each_external(*access->MutableRepeatedMessage(&message, field, i), f);
        }
    }
}

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
    for_each_external(
        model, [&](const onnx::TensorProto& t) { files.insert(folder / entry(t, "location")); });
    return files;
}

void move_data(onnx::ModelProto& model, const fs::path& folder, output_file& to) {
    std::map<range, std::uint64_t> moved;  // tied weights are stored once
    std::uint64_t end = 0;
    for_each_external(model, [&](onnx::TensorProto& tensor) {
        const range from = range_of(tensor, folder);
        const auto [at, is_new] =
            moved.try_emplace(from, (end + alignment - 1) / alignment * alignment);
        if (is_new) {
            to.append(std::string(at->second - end, '\0'));
            copy(from, to);
            end = at->second + from.length;
        }
        refer(tensor, to.name().filename().string(), at->second, from.length);
    });
}

}  // namespace deinsum
