// A program as a model in the syntax of onnx.parser: "bij,bjk->bik" is "y = MatMul (a, b)" between
// the signature of the graph and a brace.
#pragma once

#include <xeinsum/emit/onnx.hpp>
#include <xeinsum/emit/program.hpp>
#include <xeinsum/emit/target.hpp>
#include <xeinsum/equation/join.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace xeinsum::emission {

/// "float[n, 3] a", where n is known at run time only; "?" for a group that holds such a label.
template <class Labels>
[[nodiscard]] std::string onnx_value_text(const Labels& labels, const shape& s, const element& type,
                                          const std::string& name) {
    const std::string extents = listed(s, [&](const axis& a) {
        return !labels.is_dynamic(a) ? parsing::join(labels.extent(a))
               : a.size() == 1       ? labels.names[static_cast<std::size_t>(a.front())]
                                     : "?";
    });
    return parsing::join(type.onnx, s.empty() ? "" : "[", extents, s.empty() ? "" : "]", ' ', name);
}

/// The whole model.
template <class Program>
[[nodiscard]] std::string onnx_text(const Program& p, const element& type, const std::string& name,
                                    int opset) {
    std::vector<std::string> operands;
    std::vector<std::string> inputs;
    for (std::size_t i = 0; i < p.operands.size(); ++i) {
        operands.push_back(operand_name(i));
        inputs.push_back(onnx_value_text(p.labels, p.operands[i], type, operands.back()));
    }
    const onnx_graph graph = onnx_writer(p, operands, "result", "t", opset).write(type);
    std::string text = parsing::join(
        "<ir_version: 7, opset_import: [\"\" : ", opset, "]>\n", name, " (", listed(inputs),
        ") => (", onnx_value_text(p.labels, p.shape_of(p.result), type, "result"), ") {\n");
    for (const onnx_constant& c : graph.constants) {
        text += parsing::join("    ", c.name, " = Constant <value = int64[", c.elements.size(),
                              "] {", listed(c.elements), "}> ()\n");
    }
    auto warning = graph.warnings.begin();
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        const onnx_node& n = graph.nodes[i];
        if (warning != graph.warnings.end() && warning->first == i) {
            text += parsing::join("    # ", (warning++)->second, '\n');
        }
        std::vector<std::string> attributes;
        for (const onnx_attribute& a : n.attributes) {
            attributes.push_back(parsing::join(a.name, " = ", a.list ? "[" : "", listed(a.numbers),
                                               a.list ? "]" : ""));
        }
        if (n.type == "ConstantOfShape") {
            attributes.push_back(parsing::join("value = ", type.onnx, "[1] {0}"));
        }
        text += parsing::join("    ", n.output, " = ", n.type, ' ', attributes.empty() ? "" : "<",
                              listed(attributes), attributes.empty() ? "" : "> ", '(',
                              listed(n.inputs), ")\n");
    }
    return text + "}\n";
}

}  // namespace xeinsum::emission
