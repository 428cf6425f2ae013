// A program as a C++ function of xtensor containers: "ij,jk->ik" is "xt::linalg::dot(a, b)"; what
// dot cannot do is multiplied and summed in one lazy expression.
#pragma once

#include <xeinsum/emit/expressions.hpp>
#include <xeinsum/emit/program.hpp>
#include <xeinsum/emit/target.hpp>
#include <xeinsum/equation/join.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace xeinsum::emission {

template <class Program>
class xtensor_writer {
public:
    xtensor_writer(const Program& p, const element& type) : program_(p), type_(type) {}

    [[nodiscard]] static abilities able() {
        return {.diagonal = false, .convolution = false, .batches = false};
    }

    /// A function of operands that are xt::xarray of the element type, row-major.
    [[nodiscard]] std::string function(const std::string& name) {
        const std::string array = parsing::join("xt::xarray<", type_.cpp, '>');
        // Zeros need no operand.
        const bool unused = std::any_of(program_.nodes.begin(), program_.nodes.end(),
                                        [](const node& n) { return n.inputs.empty(); });
        std::vector<std::string> parameters;
        for (std::size_t i = 0; i < program_.operands.size(); ++i) {
            values_.push_back(operand_name(i));
            parameters.push_back(parsing::join(unused ? "[[maybe_unused]] " : "", "const ", array,
                                               "& ", values_.back()));
        }
        std::string body;
        for (const node& n : program_.nodes) {
            const std::size_t value = values_.size();
            values_.push_back(value == program_.result ? "result" : parsing::join('t', next_++));
            // A product that is summed stays an expression, which nothing stores.
            const std::string type = program_.is_summed_product(value) ? "auto" : array;
            body += parsing::join("    const ", type, ' ', values_.back(), " = ", text(n), ";\n");
        }
        return parsing::join("inline ", array, ' ', name, '(', listed(parameters), ") {\n", body,
                             "    return ", values_[program_.result], ";\n}\n");
    }

private:
    [[nodiscard]] std::string text(const node& n) const {
        if (n.inputs.empty()) {
            return parsing::join("xt::zeros<", type_.cpp, ">(std::vector<std::size_t>{",
                                 extents(n.shape), "})");
        }
        const std::string& first = values_[n.inputs[0]];
        switch (n.what) {
            case operation::permute:
                return parsing::join("xt::transpose(", first, ", {", listed(n.numbers), "})");
            case operation::reshape:
                return parsing::join("xt::reshape_view(", first, ", ",
                                     plain(n.shape) ? "" : "std::vector<std::size_t>", '{',
                                     extents(n.shape), "})");
            case operation::stride:
                return parsing::join("xt::strided_view(", first, ", {xt::ellipsis(), xt::range(0, ",
                                     extents({program_.shape_of(n.inputs[0]).back()}), ", ",
                                     n.numbers.front(), ")})");
            case operation::sum:
                return parsing::join("xt::sum<", type_.cpp, ">(", first, ", {", listed(n.numbers),
                                     "})");
            case operation::multiply: return parsing::join(first, " * ", values_[n.inputs[1]]);
            default:
                return parsing::join("xt::linalg::dot(", first, ", ", values_[n.inputs[1]], ')');
        }
    }

    /// Whether a list of the extents is one of numbers, and not empty.
    [[nodiscard]] bool plain(const shape& s) const {
        return !s.empty() && std::none_of(s.begin(), s.end(), [&](const axis& a) {
            return program_.labels.is_dynamic(a);
        });
    }
    [[nodiscard]] std::string extents(const shape& s) const {
        return listed(s, [&](const axis& a) {
            std::string product;
            std::int64_t fixed = 1;
            for (const label l : a) {
                if (program_.labels.is_dynamic(l)) {
                    const auto [operand, place] = source_of(program_, l);
                    product += parsing::join(product.empty() ? "" : " * ", operand_name(operand),
                                             ".shape(", place, ')');
                } else {
                    fixed *= program_.labels.extent(l);
                }
            }
            return product.empty() ? std::to_string(fixed)
                   : fixed == 1    ? product
                                   : parsing::join(product, " * ", fixed);
        });
    }

    const Program& program_;
    const element& type_;
    std::vector<std::string> values_{};
    std::size_t next_ = 0;
};

}  // namespace xeinsum::emission
