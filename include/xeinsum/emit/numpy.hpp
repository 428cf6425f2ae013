// A program as a Python function of NumPy arrays: "bij,bkj->bik" is
// "return a @ b.transpose(0, 2, 1)".
#pragma once

#include <xeinsum/emit/expressions.hpp>
#include <xeinsum/emit/program.hpp>
#include <xeinsum/emit/target.hpp>
#include <xeinsum/equation/join.hpp>

#include <string>

namespace xeinsum::emission {

/// NumPy has no convolution of two axes: such pairs are written otherwise.
struct numpy_words {
    static constexpr const char* permute = "transpose";

    [[nodiscard]] static std::string zeros(const std::string& extents) {
        return parsing::join("np.zeros((", extents, extents.empty() ? "" : ",", "), a.dtype)");
    }
    [[nodiscard]] static std::string convolution(const std::string&, const std::string&,
                                                 const std::string&) {
        return {};
    }
    [[nodiscard]] static abilities able(const element&) { return {.convolution = false}; }
};

}  // namespace xeinsum::emission
