// Tensors of the caller's memory for at::einsum("ab,bc,cd->ad", ...).
#include "network_peer.hpp"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>

namespace bench {

namespace {

std::vector<at::Tensor> tensors_of(const std::vector<network_operand>& operands) {
    std::vector<at::Tensor> tensors;
    for (const network_operand& o : operands) {
        const std::vector<std::int64_t> extents(o.extents.begin(), o.extents.end());
        tensors.push_back(at::from_blob(o.first, extents, at::TensorOptions().dtype(at::kFloat)));
    }
    return tensors;
}

struct path_step {
    std::vector<std::size_t> terms;
    std::string equation;
};

/// Each step as text; empty where one has too many labels.
std::vector<path_step> path_steps(std::vector<std::vector<int>> terms,
                                  const std::vector<int>& output,
                                  const std::vector<std::vector<std::size_t>>& path) {
    std::map<int, int> uses;  // labels of terms that are left, and of the output
    const auto count = [&](std::vector<int> labels, int by) {
        std::sort(labels.begin(), labels.end());
        labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
        for (const int l : labels) {
            uses[l] += by;
        }
    };
    for (const auto& term : terms) {
        count(term, 1);
    }
    count(output, 1);
    std::vector<path_step> steps;
    for (const auto& inputs : path) {
        std::map<int, char> letters;
        std::vector<int> result;
        std::string text;
        for (const std::size_t t : inputs) {
            count(terms[t], -1);
        }
        for (const std::size_t t : inputs) {
            text += text.empty() ? "" : ",";
            for (const int l : terms[t]) {
                const auto n = static_cast<int>(letters.size());
                const bool fresh =
                    letters.emplace(l, static_cast<char>(n < 26 ? 'a' + n : 'A' + (n - 26))).second;
                if (fresh && uses[l] > 0) {
                    result.push_back(l);
                }
                text += letters[l];
            }
        }
        if (letters.size() > 52) {
            return {};
        }
        if (steps.size() + 1 == path.size()) {
            result = output;
        }
        text += "->";
        for (const int l : result) {
            text += letters[l];
        }
        count(result, 1);
        terms.push_back(result);
        steps.push_back({inputs, std::move(text)});
    }
    return steps;
}

}  // namespace

bool has_network_peer() noexcept {
    return true;
}

std::function<const float*()> network_peer(const std::string& equation,
                                           const std::vector<network_operand>& operands) {
    at::set_num_threads(1);
    const std::vector<at::Tensor> tensors = tensors_of(operands);
    const auto result = std::make_shared<at::Tensor>();
    return [equation, tensors, result] {
        *result = at::einsum(equation, tensors).contiguous();
        return static_cast<const float*>(result->data_ptr<float>());
    };
}

std::function<const float*()> network_path_peer(const std::vector<std::vector<int>>& terms,
                                                const std::vector<int>& output,
                                                const std::vector<network_operand>& operands,
                                                const std::vector<std::vector<std::size_t>>& path) {
    at::set_num_threads(1);
    const std::vector<path_step> steps = path_steps(terms, output, path);
    if (steps.empty()) {
        return {};
    }
    const std::vector<at::Tensor> tensors = tensors_of(operands);
    const auto result = std::make_shared<at::Tensor>();
    return [steps, tensors, result] {
        std::vector<at::Tensor> live = tensors;
        for (const path_step& s : steps) {
            std::vector<at::Tensor> inputs;
            for (const std::size_t t : s.terms) {
                inputs.push_back(std::move(live[t]));
            }
            live.push_back(at::einsum(s.equation, inputs));
        }
        *result = live.back().contiguous();
        return static_cast<const float*>(result->data_ptr<float>());
    };
}

}  // namespace bench
