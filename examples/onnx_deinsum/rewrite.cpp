#include "rewrite.hpp"

#include "constants.hpp"

#include <onnx/defs/schema.h>
#include <onnx/shape_inference/implementation.h>
#include <xeinsum/equation/join.hpp>

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <utility>

namespace deinsum {

namespace {

using xeinsum::emission::onnx_graph;
using xeinsum::parsing::join;

bool is_standard(const onnx::NodeProto& node) {
    return node.domain().empty() || node.domain() == "ai.onnx";
}

bool is_einsum(const onnx::NodeProto& node) {
    return node.op_type() == "Einsum" && is_standard(node);
}

std::string called(const onnx::NodeProto& node) {
    return node.name().empty() ? join("with output '", node.output(0), '\'')
                               : join('\'', node.name(), '\'');
}

onnx::OperatorSetIdProto* standard_opset(onnx::ModelProto& model) {
    for (auto& set : *model.mutable_opset_import()) {
        if (set.domain().empty() || set.domain() == "ai.onnx") {
            return &set;
        }
    }
    throw error("the model names no version of the standard operators");
}

/// Calls f with the dimensions of every value that a graph, or one below it, tells the shape of.
template <class F>
void for_each_dimension(onnx::GraphProto& graph, F f) {
    for (auto* list : {graph.mutable_input(), graph.mutable_output(), graph.mutable_value_info()}) {
        for (onnx::ValueInfoProto& value : *list) {
            if (value.type().tensor_type().has_shape()) {
                auto* shape = value.mutable_type()->mutable_tensor_type()->mutable_shape();
                std::for_each(shape->mutable_dim()->begin(), shape->mutable_dim()->end(), f);
            }
        }
    }
    for (onnx::NodeProto& node : *graph.mutable_node()) {
        for_each_subgraph(node, [&](onnx::GraphProto& g) { for_each_dimension(g, f); });
    }
}

/// Whether a graph, or one below it, uses a value that it was given from around it.
bool uses(const onnx::GraphProto& graph, const std::string& value) {
    const auto is = [&](const std::string& name) { return name == value; };
    return std::any_of(graph.output().begin(), graph.output().end(),
                       [&](const auto& o) { return o.name() == value; }) ||
           std::any_of(graph.node().begin(), graph.node().end(), [&](const onnx::NodeProto& n) {
               bool found = std::any_of(n.input().begin(), n.input().end(), is);
               for_each_subgraph(
                   n, [&](const onnx::GraphProto& g) { found = found || uses(g, value); });
               return found;
           });
}

class rewriter {
public:
    rewriter(onnx::ModelProto& model, const request& wanted) : model_(model), wanted_(wanted) {
        onnx::OperatorSetIdProto* set = standard_opset(model);
        opset_ = wanted.opset == 0 ? static_cast<int>(set->version()) : wanted.opset;
        check_opset(model.graph(), static_cast<int>(set->version()));
        if (opset_ < oldest_opset && einsums(model.graph()) > 0) {
            throw error(join("opset ", opset_, " lacks operators that replace an Einsum; from ",
                             oldest_opset, " on they are there"));
        }
        check_functions();
        set->set_version(opset_);
        collect_names(model.graph(), names_);
        for_each_dimension(*model.mutable_graph(),
                           [&](const auto& d) { extents_.insert(d.dim_param()); });
    }

    std::vector<replacement> run() {
        all_ = einsums(model_.graph());
        tell();
        // Shape inference stops at an Einsum: a node behind another one waits for the next round.
        while (einsums(model_.graph()) > 0) {
            onnx::ModelProto inferred = model_;
            hide(*inferred.mutable_graph());
            try {
                onnx::shape_inference::InferShapes(inferred);
            } catch (const std::exception& e) {
                throw error(join("shape inference: ", e.what()));
            }
            // Names that it has made up, "unk__0", tell nobody anything.
            for_each_dimension(*inferred.mutable_graph(), [&](auto& d) {
                if (d.has_dim_param() && extents_.count(d.dim_param()) == 0) {
                    d.clear_dim_param();
                }
            });
            std::set<std::string> waiting;
            if (!visit(*model_.mutable_graph(), inferred.graph(), nullptr, waiting)) {
                throw error("an Einsum node depends on itself");
            }
        }
        return std::move(told_);
    }

private:
    void tell() const {
        if (wanted_.progress) {
            wanted_.progress(told_.size(), all_);
        }
    }
    [[nodiscard]] bool is_wanted(const onnx::NodeProto& node) const {
        if (!is_einsum(node)) {
            return false;
        }
        const auto holds = [](const std::string& text, const std::string& part) {
            return text.find(part) != std::string::npos;
        };
        return std::none_of(wanted_.keep.begin(), wanted_.keep.end(), [&](const std::string& k) {
            return holds(node.name(), k) ||
                   std::any_of(
                       node.attribute().begin(), node.attribute().end(),
                       [&](const auto& a) { return a.name() == "equation" && holds(a.s(), k); });
        });
    }
    /// Shape inference knows no shape behind an Einsum, and its rank of some equations is wrong.
    void hide(onnx::GraphProto& graph) const {
        for (onnx::NodeProto& node : *graph.mutable_node()) {
            if (is_wanted(node)) {
                node.set_op_type("NotInferred");
            }
            for_each_subgraph(node, [&](onnx::GraphProto& g) { hide(g); });
        }
    }
    [[nodiscard]] std::size_t einsums(const onnx::GraphProto& graph) const {
        std::size_t count = 0;
        for (const onnx::NodeProto& node : graph.node()) {
            count += is_wanted(node) ? 1 : 0;
            for_each_subgraph(node, [&](const onnx::GraphProto& g) { count += einsums(g); });
        }
        return count;
    }

    /// Rewrites the nodes that depend on no other Einsum; true if there were any. waiting: values
    /// that depend on one, of whose shapes nothing is known yet.
    bool visit(onnx::GraphProto& graph, const onnx::GraphProto& inferred, const scope* around,
               std::set<std::string>& waiting) {
        const scope known(inferred, around);
        bool any = false;
        google::protobuf::RepeatedPtrField<onnx::NodeProto> nodes;
        nodes.Swap(graph.mutable_node());
        std::vector<std::string> replaced_inputs;
        for (int i = 0; i < nodes.size(); ++i) {
            onnx::NodeProto& node = nodes[i];
            bool waits = std::any_of(node.input().begin(), node.input().end(),
                                     [&](const std::string& v) { return waiting.count(v) > 0; });
            // Bodies of loops are given what depends on Einsum nodes as inputs of other names.
            std::vector<const onnx::GraphProto*> bodies;
            for_each_subgraph(inferred.node(i),
                              [&](const onnx::GraphProto& g) { bodies.push_back(&g); });
            std::size_t body = 0;
            for_each_subgraph(node, [&](onnx::GraphProto& g) {
                const onnx::GraphProto& with_shapes = *bodies[body++];
                if (waits) {
                    for (const auto& input : g.input()) {
                        waiting.insert(input.name());
                    }
                }
                any = visit(g, with_shapes, &known, waiting) || any;
                waits = waits || einsums(g) > 0 ||
                        std::any_of(g.output().begin(), g.output().end(),
                                    [&](const auto& o) { return waiting.count(o.name()) > 0; });
            });
            if (!is_wanted(node)) {
                graph.add_node()->Swap(&node);
            } else if (waits) {
                graph.add_node()->Swap(&node);
            } else {
                replaced_inputs.insert(replaced_inputs.end(), node.input().begin(),
                                       node.input().end());
                replace(graph, node, known);
                waiting.insert(node.output().begin(), node.output().end());
                any = true;
                continue;
            }
            const onnx::NodeProto& kept = graph.node(graph.node_size() - 1);
            if (waits || is_wanted(kept)) {
                waiting.insert(kept.output().begin(), kept.output().end());
            }
        }
        for (const std::string& input : replaced_inputs) {
            drop_unused(graph, input);
        }
        return any;
    }

    void replace(onnx::GraphProto& graph, const onnx::NodeProto& node, const scope& known) {
        try {
            const std::string prefix = unused_prefix(node);
            translation t = translate(node, known, prefix, opset_, wanted_.target);
            std::map<std::string, onnx::TensorProto> constants = fold(t.graph, known);
            for (const auto& [name, tensor] : constants) {
                add_constant(graph, name, tensor);
            }
            for (std::size_t i = 0; i < t.graph.nodes.size(); ++i) {
                add_node(graph, t, i, node);
            }
            declare(graph, node.output(0), t);
            told_.push_back(std::move(t.told));
            tell();
        } catch (const error& e) {
            throw error(join("node ", called(node), ": ", e.what()));
        }
    }

    /// Computes what depends on constants alone; returns the constants that remain.
    [[nodiscard]] std::map<std::string, onnx::TensorProto> fold(onnx_graph& graph,
                                                                const scope& known) const {
        std::map<std::string, onnx::TensorProto> made;
        std::map<std::string, std::vector<std::int64_t>> lists;
        for (const auto& c : graph.constants) {
            made[c.name] = tensor_of(c.name, c.elements);
            lists[c.name] = c.elements;
        }
        std::vector<xeinsum::emission::onnx_node> left;
        for (const auto& n : graph.nodes) {
            const auto at = made.find(n.inputs.front());
            const onnx::TensorProto* from =
                at != made.end() ? &at->second : known.constant(n.inputs.front());
            std::optional<onnx::TensorProto> folded;
            if (from != nullptr && &n != &graph.nodes.back()) {
                if (n.type == "Transpose") {
                    folded = transposed(*from, n.attributes.front().numbers);
                } else if (n.type == "Reshape" && lists.count(n.inputs[1]) > 0) {
                    folded = reshaped(*from, lists[n.inputs[1]]);
                }
            }
            if (folded) {
                folded->set_name(n.output);
                made[n.output] = std::move(*folded);
            } else {
                left.push_back(n);
            }
        }
        graph.nodes = std::move(left);
        for (auto c = made.begin(); c != made.end();) {
            const bool used =
                std::any_of(graph.nodes.begin(), graph.nodes.end(), [&](const auto& n) {
                    return std::find(n.inputs.begin(), n.inputs.end(), c->first) != n.inputs.end();
                });
            c = used ? std::next(c) : made.erase(c);
        }
        return made;
    }

    void add_constant(onnx::GraphProto& graph, const std::string& name,
                      const onnx::TensorProto& tensor) {
        names_.insert(name);
        if (model_.ir_version() >= 4) {
            *graph.add_initializer() = tensor;
            return;
        }
        // Older models want every initialiser among the inputs.
        onnx::NodeProto* node = graph.add_node();
        node->set_op_type("Constant");
        node->add_output(name);
        onnx::AttributeProto* value = node->add_attribute();
        value->set_name("value");
        value->set_type(onnx::AttributeProto::TENSOR);
        *value->mutable_t() = tensor;
    }

    void add_node(onnx::GraphProto& graph, const translation& t, std::size_t i,
                  const onnx::NodeProto& einsum) {
        const auto& from = t.graph.nodes[i];
        onnx::NodeProto* node = graph.add_node();
        const bool last = i + 1 == t.graph.nodes.size();
        node->set_op_type(from.type);
        // The last operator takes the place, and the name, of the node.
        node->set_name(last ? einsum.name() : join(from.output, '_', from.type));
        if (last) {
            node->set_doc_string(join(einsum.doc_string(), einsum.doc_string().empty() ? "" : " ",
                                      "Einsum ", t.told.equation));
        }
        for (const std::string& input : from.inputs) {
            node->add_input(input);
        }
        node->add_output(from.output);
        names_.insert(from.output);
        for (const auto& a : from.attributes) {
            onnx::AttributeProto* attribute = node->add_attribute();
            attribute->set_name(a.name);
            attribute->set_type(a.list ? onnx::AttributeProto::INTS : onnx::AttributeProto::INT);
            if (!a.list) {
                attribute->set_i(a.numbers.front());
                continue;
            }
            for (const std::int64_t n : a.numbers) {
                attribute->add_ints(n);
            }
        }
        if (from.type == "ConstantOfShape") {
            onnx::AttributeProto* value = node->add_attribute();
            value->set_name("value");
            value->set_type(onnx::AttributeProto::TENSOR);
            value->mutable_t()->set_data_type(t.element_type);
            value->mutable_t()->add_dims(1);
            value->mutable_t()->set_raw_data(std::string(element_bytes(t.element_type), '\0'));
        }
    }

    /// Tells the result's shape where the graph does not: from the operators that it comes from,
    /// shape inference does not find the names of open extents again.
    static void declare(onnx::GraphProto& graph, const std::string& name, const translation& t) {
        for (const auto* list : {&graph.output(), &graph.value_info()}) {
            for (const onnx::ValueInfoProto& value : *list) {
                if (value.name() == name) {
                    return;
                }
            }
        }
        onnx::ValueInfoProto* value = graph.add_value_info();
        value->set_name(name);
        auto* type = value->mutable_type()->mutable_tensor_type();
        type->set_elem_type(t.element_type);
        *type->mutable_shape() = t.shape;
    }

    /// A beginning that no name of the model has.
    [[nodiscard]] std::string unused_prefix(const onnx::NodeProto& node) const {
        std::string prefix = join(node.name().empty() ? node.output(0) : node.name(), '_');
        const auto taken = [&] {
            const auto at = names_.lower_bound(prefix);
            return at != names_.end() && at->compare(0, prefix.size(), prefix) == 0;
        };
        while (taken()) {
            prefix += '_';
        }
        return prefix;
    }

    /// Removes a constant of this graph that nothing uses any more.
    static void drop_unused(onnx::GraphProto& graph, const std::string& name) {
        if (uses(graph, name)) {
            return;
        }
        for (const auto& input : graph.input()) {
            if (input.name() == name) {
                return;
            }
        }
        auto* tensors = graph.mutable_initializer();
        for (int i = tensors->size(); i-- > 0;) {
            if ((*tensors)[i].name() == name) {
                tensors->DeleteSubrange(i, 1);
            }
        }
        auto* nodes = graph.mutable_node();
        for (int i = nodes->size(); i-- > 0;) {
            if ((*nodes)[i].op_type() == "Constant" && (*nodes)[i].output(0) == name) {
                nodes->DeleteSubrange(i, 1);
            }
        }
    }

    /// Every other operator must mean in the wanted opset what it means in the model's.
    void check_opset(const onnx::GraphProto& graph, int own) const {
        const auto since = [](const onnx::NodeProto& node, int opset) {
            const auto* schema = onnx::OpSchemaRegistry::Schema(node.op_type(), opset, "");
            return schema == nullptr ? 0 : schema->since_version();
        };
        for (const onnx::NodeProto& node : graph.node()) {
            if (is_standard(node) && !is_wanted(node) && since(node, own) != since(node, opset_)) {
                throw error(join("node ", called(node), ": ", node.op_type(),
                                 " means something else in opset ", opset_));
            }
            for_each_subgraph(node, [&](const onnx::GraphProto& g) { check_opset(g, own); });
        }
    }

    /// Functions of the model's own are told no shapes.
    void check_functions() const {
        for (const onnx::FunctionProto& function : model_.functions()) {
            for (const onnx::NodeProto& node : function.node()) {
                std::size_t inner = 0;
                for_each_subgraph(node, [&](const onnx::GraphProto& g) { inner += einsums(g); });
                if (is_wanted(node) || inner > 0) {
                    throw error(join("function '", function.name(), "' has an Einsum node, ",
                                     called(node), ", of unknown shapes; inline it before"));
                }
            }
        }
    }

    onnx::ModelProto& model_;
    const request& wanted_;
    int opset_ = 0;
    std::set<std::string> names_{};
    std::set<std::string> extents_{};  ///< names of open extents that the model has
    std::vector<replacement> told_{};
    std::size_t all_ = 0;  // nodes to replace
};

}  // namespace

int newest_opset() {
    return onnx::OpSchemaRegistry::DomainToVersionRange::Instance().Map().at("").second;
}

std::vector<replacement> rewrite(onnx::ModelProto& model, const request& wanted) {
    return rewriter(model, wanted).run();
}

std::size_t count_einsums(const onnx::GraphProto& graph) {
    std::size_t count = 0;
    for (const onnx::NodeProto& node : graph.node()) {
        count += is_einsum(node) ? 1 : 0;
        for_each_subgraph(node, [&](const onnx::GraphProto& g) { count += count_einsums(g); });
    }
    return count;
}

}  // namespace deinsum
