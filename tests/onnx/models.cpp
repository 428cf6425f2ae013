#include "models.hpp"

#include <xeinsum/equation/join.hpp>
#include <xeinsum/equation/network.hpp>
#include <xeinsum/equation/parser.hpp>

#include <algorithm>
#include <string_view>

namespace models {

namespace {

/// 0 where the equation is wrong.
std::size_t result_rank(const std::string& equation,
                        const std::vector<std::vector<std::int64_t>>& extents) {
    std::vector<std::size_t> ranks;
    for (const auto& e : extents) {
        ranks.push_back(e.size());
    }
    try {
        const auto eq = xeinsum::parse(std::string_view(equation), xeinsum::notation::letters);
        return xeinsum::resolve<xeinsum::heap_storage>(eq, ranks).output.size();
    } catch (const xeinsum::einsum_error&) {
        return 0;
    }
}

}  // namespace

std::string operand_name(std::size_t i) {
    return xeinsum::parsing::join('x', i);
}

onnx::ModelProto of(const std::string& equation,
                    const std::vector<std::vector<std::int64_t>>& extents, int type) {
    onnx::ModelProto model;
    model.set_ir_version(7);
    onnx::OperatorSetIdProto* set = model.add_opset_import();
    set->set_version(13);
    onnx::GraphProto* graph = model.mutable_graph();
    graph->set_name("graph");
    onnx::NodeProto* node = graph->add_node();
    node->set_op_type("Einsum");
    node->set_name("einsum");
    const std::string result(1, 'y');
    *node->add_output() = result;
    onnx::AttributeProto* attribute = node->add_attribute();
    attribute->set_name("equation");
    attribute->set_type(onnx::AttributeProto::STRING);
    attribute->set_s(equation);
    for (std::size_t i = 0; i < extents.size(); ++i) {
        node->add_input(operand_name(i));
        onnx::ValueInfoProto* input = graph->add_input();
        input->set_name(operand_name(i));
        auto* tensor = input->mutable_type()->mutable_tensor_type();
        tensor->set_elem_type(type);
        tensor->mutable_shape();
        for (const std::int64_t e : extents[i]) {
            auto* dim = tensor->mutable_shape()->add_dim();
            if (e >= 0) {
                dim->set_dim_value(e);
            }
        }
    }
    onnx::ValueInfoProto* output = graph->add_output();
    *output->mutable_name() = result;
    output->mutable_type()->mutable_tensor_type()->set_elem_type(type);
    auto* shape = output->mutable_type()->mutable_tensor_type()->mutable_shape();
    for (std::size_t a = 0; a < result_rank(equation, extents); ++a) {
        shape->add_dim();
    }
    return model;
}

void open_extent(onnx::ModelProto& model, int input, int axis, const std::string& name) {
    auto* type = model.mutable_graph()->mutable_input(input)->mutable_type();
    type->mutable_tensor_type()->mutable_shape()->mutable_dim(axis)->set_dim_param(name);
}

void make_constant(onnx::ModelProto& model, int input) {
    auto* inputs = model.mutable_graph()->mutable_input();
    onnx::TensorProto* tensor = model.mutable_graph()->add_initializer();
    tensor->set_name((*inputs)[input].name());
    tensor->set_data_type(onnx::TensorProto::FLOAT);
    std::int64_t count = 1;
    for (const auto& d : (*inputs)[input].type().tensor_type().shape().dim()) {
        tensor->add_dims(d.dim_value());
        count *= d.dim_value();
    }
    for (std::int64_t n = 0; n < count; ++n) {
        tensor->add_float_data(static_cast<float>(n + 1));
    }
    inputs->DeleteSubrange(input, 1);
}

std::optional<onnx::ModelProto> of_row(const support::table_row& row, extents kind) {
    const std::string type = field(row, "dtype");
    if (type[0] == 'c') {
        return std::nullopt;
    }
    const auto shapes = support::parse_shapes(field(row, "shapes"));
    std::vector<std::vector<std::int64_t>> all;
    std::vector<std::size_t> ranks;
    for (const auto& s : shapes) {
        all.emplace_back(s.begin(), s.end());
        ranks.push_back(s.size());
    }
    if (kind == extents::unknown) {
        const auto eq =
            xeinsum::parse(std::string_view(field(row, "equation")), xeinsum::notation::letters);
        const auto net = xeinsum::resolve<xeinsum::heap_storage>(eq, ranks);
        for (std::size_t i = 0; i < all.size(); ++i) {
            const auto labels = net.view().operand(i);
            for (std::size_t a = 0; a < all[i].size(); ++a) {
                if (all[i][a] == 0 || std::count(labels.begin(), labels.end(), labels[a]) > 1) {
                    return std::nullopt;
                }
                all[i][a] = all[i][a] == 1 ? 1 : -1;
            }
        }
    }
    return of(field(row, "equation"), all,
              type == "f32"   ? onnx::TensorProto::FLOAT
              : type == "f64" ? onnx::TensorProto::DOUBLE
              : type == "i32" ? onnx::TensorProto::INT32
                              : onnx::TensorProto::INT64);
}

}  // namespace models
