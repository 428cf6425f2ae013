#include "model_file.hpp"

#include "external_data.hpp"
#include "output_file.hpp"
#include "scope.hpp"

#include <google/protobuf/io/zero_copy_stream_impl.h>

#include <cerrno>
#include <climits>
#include <cstring>
#include <fstream>
#include <set>

namespace deinsum {

namespace fs = std::filesystem;

namespace {

fs::path folder_of(const fs::path& file) {
    return file.has_parent_path() ? file.parent_path() : fs::path(".");
}

bool are_same(const fs::path& a, const fs::path& b) {
    std::error_code missing;
    return fs::equivalent(a, b, missing);
}

fs::path data_file(const fs::path& model) {
    return model.string() + ".data";
}

}  // namespace

onnx::ModelProto read(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    if (!in) {
        throw error("cannot open " + file.string() + ": " + std::strerror(errno));
    }
    std::error_code no_size;  // of a pipe, for example
    const auto size = fs::file_size(file, no_size);
    if (!no_size && size > INT_MAX) {
        throw error(file.string() +
                    " is larger than 2 GiB, which a model can be only with weights in other files");
    }
    onnx::ModelProto model;
    const bool parsed = model.ParseFromIstream(&in);
    if (in.bad()) {
        throw error("cannot read " + file.string());
    }
    if (!parsed || !model.has_graph()) {
        throw error(file.string() + " is no ONNX model");
    }
    return model;
}

std::optional<fs::path> overwritten(onnx::ModelProto& model, const fs::path& in,
                                    const fs::path& out) {
    std::set<fs::path> inputs = data_files(model, folder_of(in));
    inputs.insert(in);
    const bool copies = !are_same(folder_of(in), folder_of(out));
    for (const fs::path& input : inputs) {
        if (are_same(input, out) || (copies && are_same(input, data_file(out)))) {
            return input;
        }
    }
    return std::nullopt;
}

std::optional<fs::path> write(onnx::ModelProto& model, const fs::path& in, const fs::path& out) {
    const fs::path from = folder_of(in);
    output_file file(out);
    std::optional<output_file> data;
    if (!data_files(model, from).empty() && !are_same(from, folder_of(out))) {
        data.emplace(data_file(out));
        move_data(model, from, *data);
    }
    if (model.ByteSizeLong() > INT_MAX) {
        file.fail(EFBIG);
    }
    google::protobuf::io::FileOutputStream bytes(file.descriptor());
    if (!model.SerializeToZeroCopyStream(&bytes) || !bytes.Flush()) {
        file.fail(bytes.GetErrno());
    }
    if (data) {
        data->commit();
    }
    file.commit();
    return data ? std::optional(data->name()) : std::nullopt;
}

}  // namespace deinsum
