#include "constants.hpp"

#include <cstddef>
#include <cstring>
#include <utility>

namespace deinsum {

std::size_t element_bytes(int type) {
    switch (type) {
        case onnx::TensorProto::FLOAT:
        case onnx::TensorProto::INT32:
        case onnx::TensorProto::UINT32: return 4;
        case onnx::TensorProto::DOUBLE:
        case onnx::TensorProto::INT64:
        case onnx::TensorProto::UINT64: return 8;
        case onnx::TensorProto::FLOAT16:
        case onnx::TensorProto::BFLOAT16: return 2;
        default: return 0;
    }
}

namespace {

template <class Field>
std::string bytes_of(const Field& field) {
    std::string bytes(static_cast<std::size_t>(field.size()) * sizeof(field[0]), '\0');
    if (!bytes.empty()) {  // what is empty may have no address
        std::memcpy(bytes.data(), field.data(), bytes.size());
    }
    return bytes;
}

/// The elements as raw_data holds them; empty where they are stored in another way.
std::string raw_bytes(const onnx::TensorProto& tensor) {
    if (tensor.has_raw_data()) {
        return tensor.raw_data();
    }
    switch (tensor.data_type()) {
        case onnx::TensorProto::FLOAT: return bytes_of(tensor.float_data());
        case onnx::TensorProto::DOUBLE: return bytes_of(tensor.double_data());
        case onnx::TensorProto::INT32: return bytes_of(tensor.int32_data());
        case onnx::TensorProto::INT64: return bytes_of(tensor.int64_data());
        default: return {};
    }
}

}  // namespace

std::optional<onnx::TensorProto> transposed(const onnx::TensorProto& tensor,
                                            const std::vector<std::int64_t>& order) {
    const std::size_t size = element_bytes(tensor.data_type());
    const std::string from = raw_bytes(tensor);
    std::size_t count = 1;
    for (const std::int64_t d : tensor.dims()) {
        count *= static_cast<std::size_t>(d);
    }
    if (size == 0 || from.size() != count * size ||
        tensor.data_location() == onnx::TensorProto::EXTERNAL) {
        return std::nullopt;
    }
    const std::size_t rank = order.size();
    std::vector<std::size_t> stride(rank, 1);
    for (std::size_t a = rank; a-- > 1;) {
        stride[a - 1] = stride[a] * static_cast<std::size_t>(tensor.dims(static_cast<int>(a)));
    }
    onnx::TensorProto to = tensor;
    for (auto* field : {to.mutable_float_data()}) {
        field->Clear();
    }
    to.clear_double_data();
    to.clear_int32_data();
    to.clear_int64_data();
    to.clear_dims();
    for (const std::int64_t a : order) {
        to.add_dims(tensor.dims(static_cast<int>(a)));
    }
    std::string bytes(from.size(), '\0');
    std::vector<std::size_t> index(rank, 0);
    for (std::size_t n = 0; n < count; ++n) {
        std::size_t source = 0;
        for (std::size_t a = 0; a < rank; ++a) {
            source += index[a] * stride[static_cast<std::size_t>(order[a])];
        }
        std::memcpy(bytes.data() + n * size, from.data() + source * size, size);
        for (std::size_t a = rank; a-- > 0;) {
            if (++index[a] < static_cast<std::size_t>(to.dims(static_cast<int>(a)))) {
                break;
            }
            index[a] = 0;
        }
    }
    to.set_raw_data(std::move(bytes));
    return to;
}

onnx::TensorProto reshaped(const onnx::TensorProto& tensor,
                           const std::vector<std::int64_t>& extents) {
    onnx::TensorProto to = tensor;
    to.clear_dims();
    std::int64_t count = 1;
    for (const std::int64_t d : tensor.dims()) {
        count *= d;
    }
    std::int64_t known = 1;
    for (std::size_t a = 0; a < extents.size(); ++a) {
        to.add_dims(extents[a] == 0 ? tensor.dims(static_cast<int>(a)) : extents[a]);
        known *= extents[a] == -1 ? 1 : to.dims(static_cast<int>(a));
    }
    for (int a = 0; a < to.dims_size(); ++a) {
        if (to.dims(a) == -1) {
            to.set_dims(a, count / known);
        }
    }
    return to;
}

onnx::TensorProto tensor_of(const std::string& name, const std::vector<std::int64_t>& elements) {
    onnx::TensorProto tensor;
    tensor.set_name(name);
    tensor.set_data_type(onnx::TensorProto::INT64);
    tensor.add_dims(static_cast<std::int64_t>(elements.size()));
    tensor.set_raw_data(bytes_of(elements));
    return tensor;
}

}  // namespace deinsum
