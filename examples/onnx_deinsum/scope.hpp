// What is known of the values of a graph: that "x" is float of (batch, 3, 4), that "w" is a
// constant. A subgraph sees what the graphs around it hold.
#pragma once

#include <onnx/onnx_pb.h>

#include <map>
#include <set>
#include <stdexcept>
#include <string>

namespace deinsum {

/// A model or a node that cannot be rewritten, and why.
struct error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

class scope {
public:
    /// The graph with its shapes inferred; the scope refers to it. Before IR version 4 a graph's
    /// inputs may replace initialisers, which are no constants then.
    scope(const onnx::GraphProto& graph, const scope* around) : around_(around) {
        for (const auto* list : {&graph.input(), &graph.value_info(), &graph.output()}) {
            for (const onnx::ValueInfoProto& value : *list) {
                types_[value.name()] = &value.type();
            }
        }
        for (const onnx::TensorProto& tensor : graph.initializer()) {
            constants_[tensor.name()] = &tensor;
        }
        for (const onnx::NodeProto& node : graph.node()) {
            if (node.op_type() == "Constant" && node.attribute_size() == 1 &&
                node.attribute(0).name() == "value") {
                constants_[node.output(0)] = &node.attribute(0).t();
            }
        }
        for (const onnx::ValueInfoProto& input : graph.input()) {
            constants_.erase(input.name());
        }
    }

    [[nodiscard]] const onnx::TensorProto* constant(const std::string& name) const {
        const auto at = constants_.find(name);
        return at != constants_.end() ? at->second
               : is_defined(name)     ? nullptr
               : around_ != nullptr   ? around_->constant(name)
                                      : nullptr;
    }
    /// Null where nothing is known.
    [[nodiscard]] const onnx::TypeProto* type(const std::string& name) const {
        const auto at = types_.find(name);
        return at != types_.end() ? at->second : around_ != nullptr ? around_->type(name) : nullptr;
    }

private:
    [[nodiscard]] bool is_defined(const std::string& name) const { return types_.count(name) > 0; }

    const scope* around_;
    std::map<std::string, const onnx::TypeProto*> types_{};
    std::map<std::string, const onnx::TensorProto*> constants_{};
};

/// Calls f with every graph that the attributes of a node hold.
template <class Node, class F>
void for_each_subgraph(Node& node, F f) {
    for (int a = 0; a < node.attribute_size(); ++a) {
        if constexpr (std::is_const_v<Node>) {
            const auto& attribute = node.attribute(a);
            if (attribute.has_g()) {
                f(attribute.g());
            }
            for (const auto& g : attribute.graphs()) {
                f(g);
            }
        } else {
            auto* attribute = node.mutable_attribute(a);
            if (attribute->has_g()) {
                f(*attribute->mutable_g());
            }
            for (auto& g : *attribute->mutable_graphs()) {
                f(g);
            }
        }
    }
}

/// All names of values and nodes of a graph and of those below it.
inline void collect_names(const onnx::GraphProto& graph, std::set<std::string>& names) {
    for (const auto& value : graph.input()) {
        names.insert(value.name());
    }
    for (const auto& tensor : graph.initializer()) {
        names.insert(tensor.name());
    }
    for (const auto& node : graph.node()) {
        names.insert(node.name());
        names.insert(node.output().begin(), node.output().end());
        names.insert(node.input().begin(), node.input().end());
        for_each_subgraph(node, [&](const onnx::GraphProto& g) { collect_names(g, names); });
    }
}

}  // namespace deinsum
