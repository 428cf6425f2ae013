#include "translate.hpp"

#include "constants.hpp"

#include <xeinsum/compiled.hpp>
#include <xeinsum/emit.hpp>
#include <xeinsum/emit/emit.hpp>
#include <xeinsum/equation/join.hpp>
#include <xeinsum/equation/network.hpp>
#include <xeinsum/equation/parser.hpp>
#include <xeinsum/plan.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace deinsum {

namespace {

using xeinsum::parsing::join;
using list = std::vector<std::int64_t>;

constexpr std::int64_t unknown = -1;

std::string equation_of(const onnx::NodeProto& node) {
    for (const onnx::AttributeProto& a : node.attribute()) {
        if (a.name() == "equation") {
            return a.s();
        }
    }
    throw error("it has no equation");
}

const onnx::TypeProto::Tensor& tensor_type(const scope& known, const std::string& name) {
    const onnx::TypeProto* type = known.type(name);
    if (type == nullptr || !type->has_tensor_type() || !type->tensor_type().has_shape()) {
        throw error(join("the number of axes of its input '", name,
                         "' is not known; shape inference does not reach it"));
    }
    return type->tensor_type();
}

struct operand {
    list extents{};  ///< unknown where only the run tells
    std::vector<std::string> names{};
    std::string text{};
};

operand operand_of(const scope& known, const std::string& name) {
    operand o;
    if (const onnx::TensorProto* constant = known.constant(name)) {
        o.extents.assign(constant->dims().begin(), constant->dims().end());
        o.names.resize(o.extents.size());
        o.text = join('(', xeinsum::emission::listed(o.extents), ')');
        return o;
    }
    std::vector<std::string> words;
    for (const auto& d : tensor_type(known, name).shape().dim()) {
        o.extents.push_back(d.has_dim_value() ? d.dim_value() : unknown);
        o.names.push_back(d.dim_param());
        words.push_back(d.has_dim_value()       ? std::to_string(d.dim_value())
                        : d.dim_param().empty() ? "?"
                                                : d.dim_param());
    }
    o.text = join('(', xeinsum::emission::listed(words), ')');
    return o;
}

int element_type(const scope& known, const std::string& name) {
    const onnx::TensorProto* constant = known.constant(name);
    return constant != nullptr ? constant->data_type() : tensor_type(known, name).elem_type();
}

/// Replaces what is unknown: by the label's extent where another operand has it, else by an
/// example. Tells by label which extents are examples.
std::vector<bool> complete(const xeinsum::network_view& net, std::vector<operand>& operands) {
    list extents(net.label_count, 1);
    std::vector<bool> dynamic(net.label_count, false);
    for (std::size_t i = 0; i < operands.size(); ++i) {
        for (std::size_t a = 0; a < operands[i].extents.size(); ++a) {
            const auto l = static_cast<std::size_t>(net.operand(i)[a]);
            const std::int64_t e = operands[i].extents[a];
            dynamic[l] = dynamic[l] || e == unknown;
            extents[l] = e == unknown || e == 1 ? extents[l] : e;
        }
    }
    for (std::size_t l = 0; l < dynamic.size(); ++l) {
        dynamic[l] = dynamic[l] && extents[l] == 1;
    }
    for (std::size_t i = 0; i < operands.size(); ++i) {
        for (std::size_t a = 0; a < operands[i].extents.size(); ++a) {
            const auto l = static_cast<std::size_t>(net.operand(i)[a]);
            if (operands[i].extents[a] == unknown) {
                operands[i].extents[a] = dynamic[l] ? example_extent : extents[l];
            }
        }
    }
    return dynamic;
}

/// The names that operands have for labels; the first where they differ.
std::vector<std::string> names_of(const xeinsum::network_view& net,
                                  const std::vector<operand>& operands) {
    std::vector<std::string> names(net.label_count);
    for (std::size_t i = 0; i < operands.size(); ++i) {
        for (std::size_t a = 0; a < operands[i].names.size(); ++a) {
            auto& name = names[static_cast<std::size_t>(net.operand(i)[a])];
            name = name.empty() ? operands[i].names[a] : name;
        }
    }
    return names;
}

std::string classes_of(const xeinsum::equation& eq) {
    if (eq.term_count() != 2) {
        return {};
    }
    std::string text;
    auto classes = eq.classify(0, 1);
    for (const xeinsum::index_class c : xeinsum::index_classes) {
        if (!classes[c].empty()) {
            text += join(text.empty() ? "" : "; ", name(c), ' ', classes[c].text());
        }
    }
    return text;
}

/// Plans for the element type matter in what it can be convolved as, and in bytes.
template <class T>
void plan_for(translation& t, const xeinsum::equation& eq, const onnx::NodeProto& node,
              const std::vector<operand>& operands, const std::vector<bool>& dynamic,
              const scope& known, const std::string& prefix, int opset, engine target) {
    std::vector<std::vector<std::size_t>> shapes;
    double elements = 0;  // of operands and result
    for (const operand& o : operands) {
        shapes.emplace_back(o.extents.begin(), o.extents.end());
        double count = 1;
        for (const std::int64_t e : o.extents) {
            count *= static_cast<double>(e);
        }
        elements += count;
    }
    const auto plan = xeinsum::make_plan<T>(eq, shapes);
    double results = 1;
    for (const std::int64_t e : plan.output_extents()) {
        results *= static_cast<double>(e);
        t.shape.add_dim()->set_dim_value(e);
    }
    t.told.bytes = (elements + results) * static_cast<double>(element_bytes(t.element_type));
    t.told.flops = plan.flops();
    const auto type = xeinsum::emission::element_of<T>();
    auto able = xeinsum::emission::onnx_abilities(type);
    // Runtimes rarely convolve numbers of double precision.
    able.convolution = able.convolution && sizeof(T) == sizeof(float);
    if (target == engine::opencv && std::is_same_v<T, float>) {
        able.broadcasts = false;
        for (const std::string& input : node.input()) {
            able.constants.push_back(known.constant(input) != nullptr);
        }
    }
    const auto program = plan.operations(dynamic, able);
    t.graph = xeinsum::emission::onnx_writer(program, {node.input().begin(), node.input().end()},
                                             node.output(0), prefix, opset)
                  .write(type);
}

}  // namespace

translation translate(const onnx::NodeProto& node, const scope& known, const std::string& prefix,
                      int opset, engine target) {
    translation t;
    t.told.node = node.name().empty() ? node.output(0) : node.name();
    t.told.equation = equation_of(node);
    std::vector<operand> operands;
    std::vector<std::size_t> ranks;
    for (const std::string& input : node.input()) {
        operands.push_back(operand_of(known, input));
        t.told.shapes.push_back(operands.back().text);
        ranks.push_back(operands.back().extents.size());
    }
    try {
        const auto eq =
            xeinsum::parse(std::string_view(t.told.equation), xeinsum::notation::letters);
        t.told.classes = classes_of(eq);
        const auto net = xeinsum::resolve<xeinsum::heap_storage>(eq, ranks);
        std::vector<bool> dynamic(eq.label_count(), false);
        std::vector<std::string> names;
        if (net.error.ok()) {
            dynamic = complete(net.view(), operands);
            names = names_of(net.view(), operands);
        }
        t.element_type = element_type(known, node.input(0));
        switch (t.element_type) {
            case onnx::TensorProto::FLOAT:
            case onnx::TensorProto::FLOAT16:
            case onnx::TensorProto::BFLOAT16:
                plan_for<float>(t, eq, node, operands, dynamic, known, prefix, opset, target);
                break;
            case onnx::TensorProto::DOUBLE:
                plan_for<double>(t, eq, node, operands, dynamic, known, prefix, opset, target);
                break;
            case onnx::TensorProto::INT32:
            case onnx::TensorProto::UINT32:
                plan_for<std::int32_t>(t, eq, node, operands, dynamic, known, prefix, opset,
                                       target);
                break;
            case onnx::TensorProto::INT64:
            case onnx::TensorProto::UINT64:
                plan_for<std::int64_t>(t, eq, node, operands, dynamic, known, prefix, opset,
                                       target);
                break;
            default: throw error("MatMul has no kernel for its element type");
        }
        for (int a = 0; a < t.shape.dim_size(); ++a) {
            const auto l = static_cast<std::size_t>(net.output[static_cast<std::size_t>(a)]);
            if (dynamic[l]) {
                t.shape.mutable_dim(a)->Clear();
                if (!names[l].empty()) {
                    t.shape.mutable_dim(a)->set_dim_param(names[l]);
                }
            }
        }
        for (std::size_t l = 0; l < dynamic.size(); ++l) {
            if (dynamic[l]) {
                t.told.open_extents.insert(names[l].empty() ? "?" : names[l]);
            }
        }
    } catch (const xeinsum::einsum_error& e) {
        throw error(e.what());
    }
    for (const auto& n : t.graph.nodes) {
        t.told.operators.push_back(n.type);
    }
    return t;
}

}  // namespace deinsum
