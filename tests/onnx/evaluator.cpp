#include "evaluator.hpp"

#include "raw_data.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <stdexcept>

namespace evaluator {

namespace {

using list = std::vector<std::int64_t>;

std::int64_t count(const list& extents) {
    std::int64_t n = 1;
    for (const std::int64_t e : extents) {
        n *= e;
    }
    return n;
}

void require(bool holds, const char* what) {
    if (!holds) {
        throw std::runtime_error(what);
    }
}

/// An element for every index, given as a list.
tensor made(const list& extents, const std::function<double(const list&)>& at) {
    tensor t{extents, {}};
    list index(extents.size(), 0);
    for (std::int64_t n = count(extents); n > 0; --n) {
        t.elements.push_back(at(index));
        for (std::size_t a = extents.size(); a-- > 0;) {
            if (++index[a] < extents[a]) {
                break;
            }
            index[a] = 0;
        }
    }
    return t;
}

/// The element at an index, whose last axes count; an extent of 1 broadcasts.
double broadcast(const tensor& t, const list& index) {
    std::size_t at = 0;
    const std::size_t skip = index.size() - t.extents.size();
    for (std::size_t a = 0; a < t.extents.size(); ++a) {
        const std::int64_t i = t.extents[a] == 1 ? 0 : index[a + skip];
        require(i < t.extents[a], "an index out of range");
        at = at * static_cast<std::size_t>(t.extents[a]) + static_cast<std::size_t>(i);
    }
    return t.elements.at(at);
}

list joint_extents(const list& a, const list& b) {
    list joint(std::max(a.size(), b.size()), 1);
    for (const list* l : {&a, &b}) {
        for (std::size_t i = 0; i < l->size(); ++i) {
            std::int64_t& e = joint[i + joint.size() - l->size()];
            require(e == 1 || (*l)[i] == 1 || e == (*l)[i], "extents do not broadcast");
            e = (*l)[i] == 1 ? e : (*l)[i];
        }
    }
    return joint;
}

tensor matmul(tensor a, tensor b) {
    const bool row = a.extents.size() == 1;
    const bool column = b.extents.size() == 1;
    if (row) {
        a.extents.insert(a.extents.begin(), 1);
    }
    if (column) {
        b.extents.push_back(1);
    }
    const std::int64_t k = a.extents.back();
    require(b.extents[b.extents.size() - 2] == k, "matrices do not fit");
    list extents = joint_extents({a.extents.begin(), a.extents.end() - 2},
                                 {b.extents.begin(), b.extents.end() - 2});
    extents.push_back(a.extents[a.extents.size() - 2]);
    extents.push_back(b.extents.back());
    tensor c = made(extents, [&](const list& index) {
        list left = index;
        list right = index;
        double sum = 0;
        for (std::int64_t i = 0; i < k; ++i) {
            left.back() = i;
            right[right.size() - 2] = i;
            sum += broadcast(a, left) * broadcast(b, right);
        }
        return sum;
    });
    if (column) {
        c.extents.pop_back();
    }
    if (row) {
        c.extents.erase(c.extents.end() - (column ? 1 : 2));
    }
    return c;
}

tensor convolution(const tensor& data, const tensor& weights, std::int64_t groups) {
    const std::int64_t channels = weights.extents[1];
    require(weights.extents[0] % groups == 0 && data.extents[1] == groups * channels,
            "groups that do not fit");
    const std::int64_t results = weights.extents[0] / groups;
    const list extents{data.extents[0], weights.extents[0],
                       data.extents[2] - weights.extents[2] + 1,
                       data.extents[3] - weights.extents[3] + 1};
    return made(extents, [&](const list& index) {
        double sum = 0;
        for (std::int64_t c = 0; c < channels; ++c) {
            const std::int64_t from = index[1] / results * channels + c;
            for (std::int64_t h = 0; h < weights.extents[2]; ++h) {
                for (std::int64_t w = 0; w < weights.extents[3]; ++w) {
                    sum += broadcast(data, {index[0], from, index[2] + h, index[3] + w}) *
                           broadcast(weights, {index[1], c, h, w});
                }
            }
        }
        return sum;
    });
}

list to_list(const tensor& t) {
    return {t.elements.begin(), t.elements.end()};
}

class node_runner {
public:
    node_runner(const onnx::NodeProto& node, const values& known, int opset)
        : node_(node), opset_(opset) {
        for (const std::string& name : node.input()) {
            inputs_.push_back(known.at(name));
        }
    }

    tensor run() {
        const std::string& type = node_.op_type();
        if (type == "Identity") {
            return in(0);
        }
        if (type == "Constant") {
            return read(node_.attribute(0).t());
        }
        if (type == "Transpose") {
            return transpose();
        }
        if (type == "Reshape") {
            return reshape();
        }
        if (type == "Squeeze" || type == "Unsqueeze") {
            return squeeze(type == "Squeeze");
        }
        if (type == "MatMul") {
            return matmul(in(0), in(1));
        }
        if (type == "Mul") {
            return made(joint_extents(in(0).extents, in(1).extents), [&](const list& index) {
                return broadcast(in(0), index) * broadcast(in(1), index);
            });
        }
        if (type == "ReduceSum") {
            return sum();
        }
        if (type == "Slice") {
            return slice();
        }
        if (type == "Gather") {
            return gather();
        }
        if (type == "Shape") {
            return {{static_cast<std::int64_t>(in(0).extents.size())},
                    {in(0).extents.begin(), in(0).extents.end()}};
        }
        if (type == "Concat") {
            tensor all{{0}, {}};
            for (const tensor& t : inputs_) {
                all.elements.insert(all.elements.end(), t.elements.begin(), t.elements.end());
            }
            all.extents[0] = static_cast<std::int64_t>(all.elements.size());
            return all;
        }
        if (type == "Conv") {
            return convolution(in(0), in(1), numbers("group").at(0));
        }
        if (type == "ConstantOfShape") {
            return made(to_list(in(0)), [](const list&) { return 0.0; });
        }
        throw std::runtime_error("an operator that is not known: " + type);
    }

private:
    [[nodiscard]] const tensor& in(std::size_t i) const { return inputs_.at(i); }

    [[nodiscard]] list numbers(const char* name) const {
        for (const onnx::AttributeProto& a : node_.attribute()) {
            if (a.name() == name) {
                return a.type() == onnx::AttributeProto::INT
                           ? list{a.i()}
                           : list(a.ints().begin(), a.ints().end());
            }
        }
        throw std::runtime_error("an attribute is missing");
    }
    /// An attribute before opset 13, an input from there on.
    [[nodiscard]] list axes() const { return opset_ >= 13 ? to_list(in(1)) : numbers("axes"); }

    tensor transpose() {
        const list order = numbers("perm");
        list extents;
        for (const std::int64_t a : order) {
            extents.push_back(in(0).extents.at(static_cast<std::size_t>(a)));
        }
        require(order.size() == in(0).extents.size(), "a permutation of another rank");
        return made(extents, [&](const list& index) {
            list from(index.size(), 0);
            for (std::size_t a = 0; a < order.size(); ++a) {
                from[static_cast<std::size_t>(order[a])] = index[a];
            }
            return broadcast(in(0), from);
        });
    }

    tensor reshape() {
        list extents = to_list(in(1));
        std::int64_t known = 1;
        for (std::size_t a = 0; a < extents.size(); ++a) {
            extents[a] = extents[a] == 0 ? in(0).extents.at(a) : extents[a];
            known *= extents[a] == -1 ? 1 : extents[a];
        }
        for (std::int64_t& e : extents) {
            e = e == -1 ? count(in(0).extents) / known : e;
        }
        require(count(extents) == count(in(0).extents), "a reshape to another number of elements");
        return {extents, in(0).elements};
    }

    tensor squeeze(bool fewer) {
        tensor t = in(0);
        const list where = axes();
        if (!fewer) {
            for (const std::int64_t a : where) {
                t.extents.insert(t.extents.begin() + a, 1);
            }
            return t;
        }
        for (std::size_t i = where.size(); i-- > 0;) {
            require(t.extents.at(static_cast<std::size_t>(where[i])) == 1, "not an extent of 1");
            t.extents.erase(t.extents.begin() + where[i]);
        }
        return t;
    }

    tensor sum() {
        require(numbers("keepdims").at(0) == 0, "sums keep no axes here");
        const list summed = axes();
        const auto is_summed = [&](std::size_t a) {
            return std::find(summed.begin(), summed.end(), static_cast<std::int64_t>(a)) !=
                   summed.end();
        };
        list kept;
        for (std::size_t a = 0; a < in(0).extents.size(); ++a) {
            if (!is_summed(a)) {
                kept.push_back(in(0).extents[a]);
            }
        }
        tensor t = made(kept, [](const list&) { return 0.0; });
        static_cast<void>(made(in(0).extents, [&](const list& index) {
            std::size_t at = 0;
            for (std::size_t a = 0; a < index.size(); ++a) {
                if (!is_summed(a)) {
                    at = at * static_cast<std::size_t>(in(0).extents[a]) +
                         static_cast<std::size_t>(index[a]);
                }
            }
            t.elements[at] += broadcast(in(0), index);
            return 0.0;
        }));
        return t;
    }

    tensor slice() {
        const auto number = [&](std::size_t i) {
            return static_cast<std::int64_t>(in(i).elements.at(0));
        };
        const auto axis = static_cast<std::size_t>(number(3));
        const std::int64_t begin = number(1);
        const std::int64_t step = number(4);
        list extents = in(0).extents;
        extents[axis] = (std::min(number(2), extents[axis]) - begin + step - 1) / step;
        return made(extents, [&](list index) {
            index[axis] = begin + index[axis] * step;
            return broadcast(in(0), index);
        });
    }

    tensor gather() {
        const auto axis = static_cast<std::size_t>(numbers("axis").at(0));
        require(in(1).extents.size() == 1, "indices are a list here");
        list extents = in(0).extents;
        extents[axis] = in(1).extents[0];
        return made(extents, [&](list index) {
            index[axis] =
                static_cast<std::int64_t>(in(1).elements[static_cast<std::size_t>(index[axis])]);
            return broadcast(in(0), index);
        });
    }

    const onnx::NodeProto& node_;
    int opset_;
    std::vector<tensor> inputs_{};
};

template <class T>
std::vector<double> from_bytes(const std::string& bytes) {
    const std::vector<T> elements = raw_data::elements<T>(bytes);
    return {elements.begin(), elements.end()};
}

}  // namespace

tensor read(const onnx::TensorProto& from) {
    tensor t{{from.dims().begin(), from.dims().end()}, {}};
    const std::string& raw = from.raw_data();
    switch (from.data_type()) {
        case onnx::TensorProto::FLOAT:
            t.elements = from.has_raw_data() ? from_bytes<float>(raw)
                                             : std::vector<double>(from.float_data().begin(),
                                                                   from.float_data().end());
            break;
        case onnx::TensorProto::DOUBLE:
            t.elements = from.has_raw_data() ? from_bytes<double>(raw)
                                             : std::vector<double>(from.double_data().begin(),
                                                                   from.double_data().end());
            break;
        case onnx::TensorProto::INT64: t.elements = from_bytes<std::int64_t>(raw); break;
        default: throw std::runtime_error("an element type that is not known");
    }
    require(static_cast<std::int64_t>(t.elements.size()) == count(t.extents),
            "another number of elements");
    return t;
}

values run(const onnx::GraphProto& graph, values inputs, int opset) {
    for (const onnx::TensorProto& tensor : graph.initializer()) {
        inputs[tensor.name()] = read(tensor);
    }
    for (const onnx::NodeProto& node : graph.node()) {
        tensor result = node_runner(node, inputs, opset).run();
        inputs[node.output(0)] = std::move(result);
    }
    return inputs;
}

}  // namespace evaluator
