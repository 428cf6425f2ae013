// Writes every row of einsum.tsv down for Python: the row's name, then the function that replaces
// its equation, such as "return a @ b". Arguments: torch or numpy, and perhaps a forced lowering,
// or "integers" for integer labels whose extents are all unknown.
#include "../support/shared_emission.hpp"
#include "../support/table.hpp"

#include <xeinsum/compiled.hpp>
#include <xeinsum/emit.hpp>
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

/// The same equation with the labels 0, -1, 2, -3 ...
xeinsum::equation with_integers(const xeinsum::equation& eq) {
    const auto numbers = [](auto uses) {
        std::vector<std::int64_t> labels;
        for (const xeinsum::label_use& use : uses) {
            labels.push_back(use.id == xeinsum::ellipsis_label ? xeinsum::ellipsis
                                                               : use.id * (1 - use.id % 2 * 2));
        }
        return labels;
    };
    std::vector<std::vector<std::int64_t>> terms;
    for (std::size_t t = 0; t < eq.term_count(); ++t) {
        terms.push_back(numbers(eq.term(t)));
    }
    return xeinsum::equation::from_labels(terms, numbers(eq.output()));
}

template <class T>
std::string text_of(const support::table_row& row, xeinsum::target to,
                    const xeinsum::options& wanted, bool integers) {
    std::vector<std::vector<std::size_t>> shapes;
    for (const support::shape& s : support::parse_shapes(row.find("shapes")->second)) {
        shapes.emplace_back(s.begin(), s.end());
    }
    const auto eq =
        xeinsum::parse(std::string_view(row.find("equation")->second), xeinsum::notation::letters);
    if (!integers) {
        return xeinsum::make_plan<T>(eq, shapes, wanted).emit(to);
    }
    const xeinsum::equation numbered = with_integers(eq);
    xeinsum::emit_options all_dynamic;
    for (std::size_t l = 0; l < numbered.label_count(); ++l) {
        all_dynamic.dynamic.emplace_back(numbered.name(static_cast<xeinsum::label>(l)));
    }
    return xeinsum::make_plan<T>(numbered, shapes, wanted).emit(to, all_dynamic);
}

std::string text_of(const support::table_row& row, xeinsum::target to,
                    const xeinsum::options& wanted, bool integers) {
    const std::string& type = row.find("dtype")->second;
    return type == "f32"   ? text_of<float>(row, to, wanted, integers)
           : type == "f64" ? text_of<double>(row, to, wanted, integers)
           : type == "c64" ? text_of<std::complex<float>>(row, to, wanted, integers)
           : type == "i32" ? text_of<std::int32_t>(row, to, wanted, integers)
           : type == "i64" ? text_of<std::int64_t>(row, to, wanted, integers)
                           : text_of<std::complex<double>>(row, to, wanted, integers);
}

}  // namespace

int main(int argc, char** argv) {
    const std::vector<std::string_view> arguments(argv + 1, argv + argc);
    if (arguments.empty()) {
        return 2;
    }
    const auto to = arguments[0] == "torch" ? xeinsum::target::torch : xeinsum::target::numpy;
    const bool integers = arguments.size() > 1 && arguments[1] == "integers";
    xeinsum::options wanted;
    for (const xeinsum::lowering l : xeinsum::lowerings_in_order) {
        if (arguments.size() > 1 && arguments[1] == name(l)) {
            wanted.lowering = l;
        }
    }
    for (const support::table_row& row : support::read_table("einsum.tsv")) {
        try {
            const std::string text = text_of(row, to, wanted, integers);
            std::cout << "### " << row.find("id")->second << '\n' << text;
        } catch (const xeinsum::einsum_error& e) {
            if (e.code() != xeinsum::error_code::lowering_not_applicable) {
                throw;
            }
        }
    }
}
