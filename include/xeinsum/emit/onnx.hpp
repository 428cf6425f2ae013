// A program as ONNX operators: "ij,kj->ik" is Transpose and MatMul; shapes are constants, with 0
// and -1 for extents that are known at run time only.
#pragma once

#include <xeinsum/emit/expressions.hpp>
#include <xeinsum/emit/program.hpp>
#include <xeinsum/equation/join.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace xeinsum::emission {

/// An attribute: a number, or a list of them.
struct onnx_attribute {
    std::string name;
    std::vector<std::int64_t> numbers;
    bool list = true;
};
struct onnx_node {
    std::string type;
    std::vector<std::string> inputs;
    std::string output;
    std::vector<onnx_attribute> attributes;
};
/// A one-dimensional tensor of int64.
struct onnx_constant {
    std::string name;
    std::vector<std::int64_t> elements;
};

/// Operators in the order in which they run. ConstantOfShape's element type is the caller's to add.
struct onnx_graph {
    std::vector<onnx_node> nodes;
    std::vector<onnx_constant> constants;
    std::vector<std::pair<std::size_t, std::string>> warnings;  ///< before the node with a number
};

/// Names what is between operands and result "prefix0", "prefix1" and so on.
template <class Program>
class onnx_writer {
public:
    onnx_writer(const Program& p, std::vector<std::string> operands, std::string result,
                std::string prefix, int opset)
        : program_(p),
          operands_(operands),
          names_(std::move(operands)),
          result_(std::move(result)),
          prefix_(std::move(prefix)),
          opset_(opset) {}

    [[nodiscard]] onnx_graph write(const element& type) {
        for (const node& n : program_.nodes) {
            const std::size_t value = names_.size();
            output_ = value == program_.result ? result_ : next_name();
            if (program_.is_summed_product(value)) {
                graph_.warnings.emplace_back(graph_.nodes.size(),
                                             product_warning(program_, value, type));
            }
            write(n);
            names_.push_back(output_);
        }
        if (program_.is_operand(program_.result)) {
            add("Identity", {names_[program_.result]}, result_);
        }
        return std::move(graph_);
    }

private:
    using numbers = std::vector<std::int64_t>;

    void write(const node& n) {
        std::vector<std::string> inputs;
        for (const std::size_t i : n.inputs) {
            inputs.push_back(names_[i]);
        }
        const numbers given(n.numbers.begin(), n.numbers.end());
        switch (n.what) {
            case operation::permute: add("Transpose", inputs, output_, {{"perm", given}}); return;
            case operation::reshape: write_reshape(n, inputs.front()); return;
            case operation::stride: write_stride(n, inputs.front()); return;
            case operation::sum:
                write_on_axes("ReduceSum", inputs, given, {{"keepdims", {0}, false}});
                return;
            case operation::multiply: add("Mul", inputs, output_); return;
            case operation::matmul: add("MatMul", inputs, output_); return;
            case operation::convolution: {
                const shape& weights = program_.shape_of(n.inputs[1]);
                const std::int64_t channels = extent(program_.shape_of(n.inputs[0])[1]);
                add("Conv", inputs, output_,
                    {{"group", {channels / extent(weights[1])}, false},
                     {"kernel_shape", {extent(weights[2]), extent(weights[3])}}});
                return;
            }
            case operation::zeros:
                add("ConstantOfShape", {shape_tensor(n.shape, std::nullopt)}, output_);
                return;
            case operation::diagonal: return;  // what ONNX is not able to
        }
    }

    void add(std::string type, std::vector<std::string> inputs, std::string output,
             std::vector<onnx_attribute> attributes = {}) {
        graph_.nodes.push_back(
            {std::move(type), std::move(inputs), std::move(output), std::move(attributes)});
    }
    [[nodiscard]] std::string next_name() { return parsing::join(prefix_, made_++); }
    [[nodiscard]] std::string constant(numbers elements) {
        for (const onnx_constant& c : graph_.constants) {
            if (c.elements == elements) {
                return c.name;
            }
        }
        graph_.constants.push_back({next_name(), std::move(elements)});
        return graph_.constants.back().name;
    }
    [[nodiscard]] std::int64_t extent(const axis& a) const { return program_.labels.extent(a); }
    [[nodiscard]] bool dynamic(const axis& a) const { return program_.labels.is_dynamic(a); }

    /// The axes are an attribute before opset 13 and an input from there on.
    void write_on_axes(const char* type, std::vector<std::string> inputs, const numbers& axes,
                       std::vector<onnx_attribute> attributes) {
        if (opset_ >= 13) {
            inputs.push_back(constant(axes));
        } else {
            attributes.insert(attributes.begin(), {"axes", axes});
        }
        add(type, std::move(inputs), output_, std::move(attributes));
    }

    /// Every n-th index of the last axis.
    void write_stride(const node& n, const std::string& input) {
        const axis& all = program_.shape_of(n.inputs[0]).back();
        const auto every = static_cast<std::int64_t>(n.numbers.front());
        const auto last = static_cast<std::int64_t>(n.shape.size()) - 1;
        if (opset_ >= 10) {
            add("Slice",
                {input, constant({0}), constant({extent(all)}), constant({last}),
                 constant({every})},
                output_);
            return;
        }
        numbers kept;
        for (std::int64_t i = 0; i < extent(all); i += every) {
            kept.push_back(i);
        }
        add("Gather", {input, constant(kept)}, output_, {{"axis", {last}, false}});
    }

    void write_reshape(const node& n, const std::string& input) {
        const shape from = program_.labels.essence(program_.shape_of(n.inputs[0]));
        const shape to = program_.labels.essence(n.shape);
        const auto open = [&](std::size_t a) {
            return dynamic(to[a]) && !(a < from.size() && from[a] == to[a]);
        };
        std::size_t unknown = 0;
        for (std::size_t a = 0; a < to.size(); ++a) {
            unknown += open(a) ? 1 : 0;
        }
        if (unknown > 1 && write_squeeze(from, to, input)) {
            return;
        }
        const std::string tensor = shape_tensor(n.shape, from);
        add("Reshape", {input, tensor}, output_);
    }

    /// Reshapes that only add or drop axes of extent 1.
    [[nodiscard]] bool write_squeeze(const shape& from, const shape& to, const std::string& input) {
        const bool fewer = to.size() < from.size();
        const shape& large = fewer ? from : to;
        const shape& small = fewer ? to : from;
        numbers ones;
        std::size_t next = 0;
        for (std::size_t a = 0; a < large.size(); ++a) {
            if (next < small.size() && large[a] == small[next]) {
                ++next;
            } else if (large[a].empty()) {
                ones.push_back(static_cast<std::int64_t>(a));
            } else {
                return false;
            }
        }
        if (next < small.size()) {
            return false;
        }
        write_on_axes(fewer ? "Squeeze" : "Unsqueeze", {input}, ones, {});
        return true;
    }

    /// A constant where 0 (the input's extent) and one -1 suffice; otherwise put together from the
    /// operands' shapes.
    [[nodiscard]] std::string shape_tensor(const shape& to, const std::optional<shape>& from) {
        const auto same = [&](std::size_t a) {
            return from && a < from->size() && (*from)[a] == program_.labels.essence(to[a]);
        };
        bool inferred = !from.has_value();
        std::vector<std::string> pieces;
        numbers fixed;
        const auto close = [&] {
            if (!fixed.empty()) {
                pieces.push_back(constant(std::exchange(fixed, {})));
            }
        };
        // A lone unknown extent reads best as -1.
        const bool lone = from && std::count_if(to.begin(), to.end(),
                                                [&](const axis& a) { return dynamic(a); }) == 1;
        for (std::size_t a = 0; a < to.size(); ++a) {
            if (!dynamic(to[a])) {
                fixed.push_back(extent(to[a]));
            } else if (same(a) && !lone) {
                fixed.push_back(0);
            } else if (!std::exchange(inferred, true)) {
                fixed.push_back(-1);
            } else {
                close();
                pieces.push_back(run_time_extent(to[a]));
            }
        }
        if (pieces.empty()) {
            return constant(std::move(fixed));
        }
        close();
        if (pieces.size() == 1) {
            return pieces.front();
        }
        const std::string joined = next_name();
        add("Concat", pieces, joined, {{"axis", {0}, false}});
        return joined;
    }

    /// A tensor of one element.
    [[nodiscard]] std::string run_time_extent(const axis& a) {
        std::string product;
        std::int64_t fixed = 1;
        const auto multiply = [&](const std::string& by) {
            if (!product.empty()) {
                const std::string name = next_name();
                add("Mul", {product, by}, name);
                product = name;
            } else {
                product = by;
            }
        };
        for (const label l : a) {
            if (!program_.labels.is_dynamic(l)) {
                fixed *= program_.labels.extent(l);
                continue;
            }
            const auto [operand, place] = source_of(program_, l);
            const std::string all = next_name();
            add("Shape", {operands_[operand]}, all);
            const std::string one = next_name();
            add("Gather", {all, constant({static_cast<std::int64_t>(place)})}, one,
                {{"axis", {0}, false}});
            multiply(one);
        }
        if (fixed != 1) {
            multiply(constant({fixed}));
        }
        return product;
    }

    const Program& program_;
    std::vector<std::string> operands_;
    std::vector<std::string> names_;
    std::string result_;
    std::string prefix_;
    int opset_;
    std::string output_{};
    std::size_t made_ = 0;
    onnx_graph graph_{};
};

}  // namespace xeinsum::emission
