// What a plan can be written down for: emit(target::torch) of "ij,jk->ik" is a function whose body
// is "return a @ b".
#pragma once

#include <xeinsum/equation/join.hpp>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace xeinsum {

/// The language and library that a plan is written down for.
enum class target : unsigned char {
    torch,      ///< a Python function of PyTorch tensors
    numpy,      ///< a Python function of NumPy arrays
    onnx_text,  ///< an ONNX model in the syntax of onnx.parser
    xtensor,    ///< a C++ function of xtensor containers; matrix products are xtensor-blas's
};

/// What a caller may ask of emit. Every member has a default.
struct emit_options {
    /// Labels whose extent is known at run time only, "..." for all axes under it: the planned
    /// extent is an example then. Operands that have such a label must agree on its extent.
    std::vector<std::string> dynamic{};
    /// The function's or graph's name.
    std::string function = "einsum";
    /// Of the ONNX operators, from 9 on.
    int opset = 13;
};

namespace emission {

/// An element type in the words of the targets.
struct element {
    std::string_view cpp{};
    std::string_view onnx{};
    std::size_t bytes = 0;
    bool integral = false;
    bool complex = false;
};

template <class T>
[[nodiscard]] constexpr element element_of() noexcept {
    constexpr bool is_signed = std::is_signed_v<T>;
    if constexpr (std::is_same_v<T, float>) {
        return {"float", "float", sizeof(T)};
    } else if constexpr (std::is_same_v<T, double>) {
        return {"double", "double", sizeof(T)};
    } else if constexpr (std::is_same_v<T, std::complex<float>>) {
        return {"std::complex<float>", "complex64", sizeof(T), false, true};
    } else if constexpr (std::is_same_v<T, std::complex<double>>) {
        return {"std::complex<double>", "complex128", sizeof(T), false, true};
    } else {
        static_assert(std::is_integral_v<T>, "no target has a name for this element type");
        switch (sizeof(T)) {
            case 1:
                return is_signed ? element{"std::int8_t", "int8", 1, true}
                                 : element{"std::uint8_t", "uint8", 1, true};
            case 2:
                return is_signed ? element{"std::int16_t", "int16", 2, true}
                                 : element{"std::uint16_t", "uint16", 2, true};
            case 4:
                return is_signed ? element{"std::int32_t", "int32", 4, true}
                                 : element{"std::uint32_t", "uint32", 4, true};
            default:
                return is_signed ? element{"std::int64_t", "int64", 8, true}
                                 : element{"std::uint64_t", "uint64", 8, true};
        }
    }
}

/// Operand i in a text: a, b, c ...; x26 and so on where the letters end.
[[nodiscard]] inline std::string operand_name(std::size_t i) {
    return i < 26 ? std::string(1, static_cast<char>('a' + static_cast<char>(i)))
                  : parsing::join('x', i);
}

}  // namespace emission
}  // namespace xeinsum
