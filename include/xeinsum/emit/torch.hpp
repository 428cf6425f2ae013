// A program as a Python function of PyTorch tensors: "bij,bjk->bik" is "return a @ b".
#pragma once

#include <xeinsum/emit/expressions.hpp>
#include <xeinsum/emit/program.hpp>
#include <xeinsum/emit/target.hpp>
#include <xeinsum/equation/join.hpp>

#include <string>

namespace xeinsum::emission {

struct torch_words {
    static constexpr const char* permute = "permute";

    [[nodiscard]] static std::string zeros(const std::string& extents) {
        return parsing::join("a.new_zeros((", extents, extents.empty() ? "" : ",", "))");
    }
    [[nodiscard]] static std::string convolution(const std::string& data,
                                                 const std::string& weights,
                                                 const std::string& groups) {
        return parsing::join("torch.conv2d(", data, ", ", weights, ", groups=", groups, ')');
    }
    [[nodiscard]] static abilities able(const element& type) {
        // Built with some BLAS libraries, torch gets the product of two complex vectors wrong.
        return {.convolution = !type.integral && !type.complex, .vectors = !type.complex};
    }
};

}  // namespace xeinsum::emission
