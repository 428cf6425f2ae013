// Writes random equations as NumPy functions, each such as "return a @ b" for "ij,jk->ik", with
// operands and what it must return; one line of JSON for each. Some extents are known at run time
// only, and are others then than planned.
#include "../support/shared_calls.hpp"
#include "../support/shared_emission.hpp"
#include "label_loops.hpp"
#include "random_case.hpp"
#include "settings.hpp"
#include "small_integers.hpp"

#include <xeinsum/emit.hpp>
#include <xeinsum/equation/error.hpp>
#include <xeinsum/plan.hpp>

#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace random_calls;

constexpr std::size_t most_written = 2000;

[[nodiscard]] std::string quoted(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        out += c == '\n' ? "\\n" : c == '"' ? "\\\"" : c == '\\' ? "\\\\" : std::string(1, c);
    }
    return out + '"';
}

template <class Numbers, class Write>
[[nodiscard]] std::string listed(const Numbers& numbers, Write write) {
    std::ostringstream out;
    out.precision(17);
    const char* between = "";
    for (const auto& x : numbers) {
        out << between;
        write(out, x);
        between = ",";
    }
    return '[' + out.str() + ']';
}

/// An array as JSON; numbers of T, or of the type in which they were added up.
template <class T, class Numbers>
[[nodiscard]] std::string array_text(const shape& extents, const Numbers& numbers) {
    std::string text =
        "{\"shape\":" + listed(extents, [](std::ostream& out, std::size_t e) { out << e; });
    text += ",\"re\":" + listed(numbers, [](std::ostream& out, const auto& x) {
                if constexpr (is_complex<T>) {
                    out << x.real();
                } else {
                    out << static_cast<T>(x);
                }
            });
    if constexpr (is_complex<T>) {
        text +=
            ",\"im\":" + listed(numbers, [](std::ostream& out, const auto& x) { out << x.imag(); });
    }
    return text + '}';
}

/// Labels that have one extent wherever they are, which is made another one in c.
[[nodiscard]] std::vector<std::string> change_extents(random_case& c, random_source& random) {
    std::vector<std::string> changed;
    std::set<int> labels;
    for (const random_term& t : c.terms) {
        labels.insert(t.labels.begin(), t.labels.end());
    }
    for (const int l : labels) {
        std::vector<std::size_t*> extents;
        bool usable = l != dots && random.chance(0.4);
        for (random_term& t : c.terms) {
            for (std::size_t a = 0; a < t.labels.size(); ++a) {
                usable = usable && t.labels[a] != dots;
                if (usable && t.labels[a] == l) {
                    extents.push_back(&t.extents[a]);
                }
            }
        }
        usable = usable && std::all_of(extents.begin(), extents.end(), [&](const std::size_t* e) {
                     return *e > 1 && *e == *extents.front();
                 });
        if (usable) {
            changed.push_back(spell(l, c.spelled));
            const auto other = static_cast<std::size_t>(random.integer(1, 6));
            for (std::size_t* e : extents) {
                *e = other;
            }
        }
    }
    return changed;
}

/// Nothing where the planner may refuse, or the arrays are large.
template <class T>
[[nodiscard]] std::string line_of(random_case c, const char* type) {
    c.special_values = c.infinities = false;
    std::vector<shape> shapes;
    for (const random_term& t : c.terms) {
        shapes.push_back(t.extents);
    }
    random_source random(c.seed + 4);
    xeinsum::emit_options wanted;
    if (random.chance(0.4)) {
        wanted.dynamic = change_extents(c, random);
    }
    std::string function;
    try {
        const auto plan = xeinsum::make_plan<T>(c.equation(), {shapes.begin(), shapes.end()},
                                                c.options(sizeof(T)));
        function = plan.emit(xeinsum::target::numpy, wanted);
    } catch (const xeinsum::einsum_error& e) {
        using xeinsum::error_code;
        const bool forced = c.lowering != xeinsum::lowering::automatic;
        if ((e.code() == error_code::lowering_not_applicable && forced) ||
            (e.code() == error_code::memory_limit && c.memory_limit > 0)) {
            return "";
        }
        throw;
    }
    for (random_term& t : c.terms) {
        t.lies = row_major(t.extents);
    }
    const label_loops loops(c);
    element_source<T> elements(random, largest_element<T>(loops), c);
    std::vector<std::vector<T>> operands;
    typename label_sums<T>::pointers first{};
    std::size_t largest = elements_of(loops.output_extents());
    for (std::size_t i = 0; i < c.terms.size(); ++i) {
        largest = std::max(largest, elements_of(c.terms[i].extents));
        operands.emplace_back(elements_of(c.terms[i].extents));
        for (T& x : operands.back()) {
            x = elements();
        }
        first[i] = operands.back().data();
    }
    if (largest > most_written) {
        return "";
    }
    std::string arrays;
    for (std::size_t i = 0; i < operands.size(); ++i) {
        arrays += (i == 0 ? "" : ",") + array_text<T>(c.terms[i].extents, operands[i]);
    }
    return "{\"case\":" + quoted(c.text()) + ",\"type\":\"" + type +
           "\",\"function\":" + quoted(function) + ",\"operands\":[" + arrays + "],\"result\":" +
           array_text<T>(loops.output_extents(), label_sums<T>::of(loops, first)) + "}\n";
}

[[nodiscard]] std::string line_of(std::uint64_t seed) {
    const random_case c = make_case(seed);
    switch (seed % 6) {
        case 0: return line_of<float>(c, "float32");
        case 1: return line_of<double>(c, "float64");
        case 2: return line_of<std::complex<float>>(c, "complex64");
        case 3: return line_of<std::complex<double>>(c, "complex128");
        case 4: return line_of<std::int32_t>(c, "int32");
        default: return line_of<std::int64_t>(c, "int64");
    }
}

}  // namespace

int main() {
    const std::uint64_t first = first_seed();
    const std::uint64_t count = cases(1500);
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
        std::cout << line_of(seed);
    }
}
