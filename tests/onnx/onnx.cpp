// The ONNX project's examples of its operator Einsum, "bij, bjk -> bik" on stored operands among
// them: as planned and under each forced lowering, the stored output comes out.
#include "../support/evaluate.hpp"
#include "raw_data.hpp"

#include <xeinsum/equation/parser.hpp>
#include <xeinsum/reference/bound.hpp>

#include <doctest/doctest.h>
#include <onnx/onnx_pb.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace fs = std::filesystem;

namespace {

template <class Message>
Message read(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    Message message;
    if (!message.ParseFromIstream(&in)) {
        throw std::runtime_error("cannot read " + file.string());
    }
    return message;
}

/// The stored elements in row-major order: as bytes, or in the field of their type.
template <class T>
std::vector<T> elements_of(const onnx::TensorProto& tensor) {
    if (tensor.has_raw_data()) {
        return raw_data::elements<T>(tensor.raw_data());
    }
    if constexpr (std::is_same_v<T, float>) {
        return {tensor.float_data().begin(), tensor.float_data().end()};
    } else {
        return {tensor.double_data().begin(), tensor.double_data().end()};
    }
}

template <class T>
support::strided_array<T> array_of(const onnx::TensorProto& tensor) {
    const support::shape extents(tensor.dims().begin(), tensor.dims().end());
    const std::vector<T> elements = elements_of<T>(tensor);
    return support::strided_array<T>::filled(extents,
                                             [&](std::size_t n) { return elements.at(n); });
}

std::vector<fs::path> entries(const fs::path& folder, const std::string& begin) {
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(folder)) {
        if (entry.path().filename().string().rfind(begin, 0) == 0) {
            found.push_back(entry.path());
        }
    }
    return found;
}

std::string equation_of(const onnx::ModelProto& model) {
    REQUIRE(model.graph().node_size() == 1);
    const onnx::NodeProto& node = model.graph().node(0);
    REQUIRE(node.op_type() == "Einsum");
    REQUIRE(node.attribute_size() == 1);
    REQUIRE(node.attribute(0).name() == "equation");
    return node.attribute(0).s();
}

template <class T>
void check_data_set(const std::string& equation, const std::vector<onnx::TensorProto>& inputs,
                    const onnx::TensorProto& output) {
    support::call<T> call{xeinsum::parse(equation), {}, {}};
    for (const onnx::TensorProto& input : inputs) {
        REQUIRE(input.data_type() == output.data_type());
        call.operands.push_back(array_of<T>(input));
    }
    const xt::xarray<T> stored = array_of<T>(output).values();
    const xt::xarray<double> bound = support::expect_bound(call);
    // Stored without loss, by a program that may be as far off as any.
    CHECK(xeinsum::reference::worst_ratio(support::expect(call), stored, bound) <= 1);

    const auto check = [&] {
        const xt::xarray<T> found = support::evaluate(call);
        CHECK(support::worst_ratio(found, call) <= 1);
        CHECK(xeinsum::reference::worst_ratio(found, stored, bound) <= 2);
    };
    check();
    for (const xeinsum::lowering forced : xeinsum::lowerings_in_order) {
        call.options.lowering = forced;
        CAPTURE(name(forced));
        try {
            check();
        } catch (const xeinsum::einsum_error& e) {
            CHECK(e.code() == xeinsum::error_code::lowering_not_applicable);
            CHECK(forced != xeinsum::lowering::broadcast_multiply_reduce);
        }
    }
}

void check_data_set(const std::string& equation, const fs::path& folder) {
    std::vector<onnx::TensorProto> inputs;
    for (std::size_t i = 0; i < entries(folder, "input_").size(); ++i) {
        inputs.push_back(read<onnx::TensorProto>(folder / ("input_" + std::to_string(i) + ".pb")));
    }
    const auto output = read<onnx::TensorProto>(folder / "output_0.pb");
    if (output.data_type() == onnx::TensorProto::FLOAT) {
        check_data_set<float>(equation, inputs, output);
    } else {
        REQUIRE(output.data_type() == onnx::TensorProto::DOUBLE);
        check_data_set<double>(equation, inputs, output);
    }
}

}  // namespace

TEST_CASE("the examples of ONNX give their stored outputs") {
    const auto examples = entries(XEINSUM_ONNX_NODES, "test_einsum_");
    CHECK(examples.size() >= 5);
    for (const fs::path& example : examples) {
        CAPTURE(example.string());
        const std::string equation = equation_of(read<onnx::ModelProto>(example / "model.onnx"));
        CAPTURE(equation);
        const auto data_sets = entries(example, "test_data_set_");
        CHECK(!data_sets.empty());
        for (const fs::path& data_set : data_sets) {
            check_data_set(equation, data_set);
        }
    }
}
