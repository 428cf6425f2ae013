// Writes every row of einsum.tsv down for Python: the row's name, then the function that replaces
// its equation, such as "return a @ b". Arguments: torch or numpy, and perhaps a forced lowering.
#include "../support/table.hpp"

#include <xeinsum/compiled.hpp>
#include <xeinsum/equation/parser.hpp>
#include <xeinsum/plan.hpp>

#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

namespace {

template <class T>
std::string text_of(const support::table_row& row, xeinsum::target to,
                    const xeinsum::options& wanted) {
    std::vector<std::vector<std::size_t>> shapes;
    for (const support::shape& s : support::parse_shapes(row.find("shapes")->second)) {
        shapes.emplace_back(s.begin(), s.end());
    }
    const auto eq =
        xeinsum::parse(std::string_view(row.find("equation")->second), xeinsum::notation::letters);
    return xeinsum::make_plan<T>(eq, shapes, wanted).emit(to);
}

std::string text_of(const support::table_row& row, xeinsum::target to,
                    const xeinsum::options& wanted) {
    const std::string& type = row.find("dtype")->second;
    return type == "f32"   ? text_of<float>(row, to, wanted)
           : type == "f64" ? text_of<double>(row, to, wanted)
           : type == "c64" ? text_of<std::complex<float>>(row, to, wanted)
           : type == "i32" ? text_of<std::int32_t>(row, to, wanted)
           : type == "i64" ? text_of<std::int64_t>(row, to, wanted)
                           : text_of<std::complex<double>>(row, to, wanted);
}

}  // namespace

int main(int argc, char** argv) {
    const std::vector<std::string_view> arguments(argv + 1, argv + argc);
    if (arguments.empty()) {
        return 2;
    }
    const auto to = arguments[0] == "torch" ? xeinsum::target::torch : xeinsum::target::numpy;
    xeinsum::options wanted;
    for (const xeinsum::lowering l : xeinsum::lowerings_in_order) {
        if (arguments.size() > 1 && arguments[1] == name(l)) {
            wanted.lowering = l;
        }
    }
    for (const support::table_row& row : support::read_table("einsum.tsv")) {
        try {
            const std::string text = text_of(row, to, wanted);
            std::cout << "### " << row.find("id")->second << '\n' << text;
        } catch (const xeinsum::einsum_error& e) {
            if (e.code() != xeinsum::error_code::lowering_not_applicable) {
                throw;
            }
        }
    }
}
