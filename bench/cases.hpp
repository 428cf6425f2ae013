// The equations that are measured, one line each: {"nctw,cd->ndtw", {{8, 64, 300, 25}, {64, 128}}}.
// The tables lie in the file of the lowering that an equation is about.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace xeinsum {
struct machine;
}

namespace bench {

using shape = std::vector<std::size_t>;

enum class element : unsigned char { f32, f64 };

[[nodiscard]] constexpr std::string_view name(element e) noexcept {
    return e == element::f32 ? "f32" : "f64";
}
template <class T>
inline constexpr element element_of = sizeof(T) == 4 ? element::f32 : element::f64;

/// One equation on row-major operands. Labels are letters; the output is written out.
struct bench_case {
    std::string equation{};
    std::vector<shape> shapes{};
    bench::element element = bench::element::f32;
    /// Leads the name; the row's name in a published table.
    std::string title{};
    /// What plans rest on; null for the machine of the library.
    const xeinsum::machine* machine = nullptr;
};

/// "ij,jk->ik/8x8,8x8/f32".
[[nodiscard]] std::string name(const bench_case& c);

[[nodiscard]] std::vector<bench_case> gemm_cases();
[[nodiscard]] std::vector<bench_case> broadcast_multiply_reduce_cases();
[[nodiscard]] std::vector<bench_case> depthwise_convolution_cases();
[[nodiscard]] std::vector<bench_case> permute_cases();
[[nodiscard]] std::vector<bench_case> example_cases();

}  // namespace bench
