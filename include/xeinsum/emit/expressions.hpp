// Programs as nested expressions: "ij,kj->ik" is one line, "return a @ b.permute(1, 0)", as long as
// it is short.
#pragma once

#include <xeinsum/emit/program.hpp>
#include <xeinsum/emit/target.hpp>
#include <xeinsum/equation/join.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace xeinsum::emission {

/// 98304 as "96 KiB".
[[nodiscard]] inline std::string bytes_text(double bytes) {
    constexpr std::array<const char*, 5> units{"bytes", "KiB", "MiB", "GiB", "TiB"};
    std::size_t unit = 0;
    while (unit + 1 < units.size() && bytes >= 1024) {
        bytes /= 1024;
        ++unit;
    }
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.4g %s", bytes, units[unit]);
    return text.data();
}

/// What to know of a product that is stored only to be summed.
template <class Program>
[[nodiscard]] std::string product_warning(const Program& p, std::size_t value,
                                          const element& type) {
    const double elements = p.elements(value);
    std::array<char, 32> count{};
    std::snprintf(count.data(), count.size(), "%.0f", elements);
    return parsing::join("stores a product of ", count.data(), " elements, ",
                         bytes_text(elements * static_cast<double>(type.bytes)));
}

/// A list of things with commas between them.
template <class List, class Text>
[[nodiscard]] std::string listed(const List& list, Text text) {
    std::string all;
    for (const auto& item : list) {
        all += all.empty() ? "" : ", ";
        all += text(item);
    }
    return all;
}
template <class List>
[[nodiscard]] std::string listed(const List& list) {
    return listed(list, [](const auto& n) { return parsing::join(n); });
}

/// The operand axis to read a dynamic label's extent from.
struct axis_source {
    std::size_t operand = 0;
    std::size_t axis = 0;
};
template <class Program>
[[nodiscard]] axis_source source_of(const Program& p, label l) {
    for (std::size_t i = 0; i < p.operands.size(); ++i) {
        for (std::size_t a = 0; a < p.operands[i].size(); ++a) {
            if (p.operands[i][a] == axis{l}) {
                return {i, a};
            }
        }
    }
    return {};
}

/// Writes the body of a Python function: a statement for each pair but the last one and where a
/// line would become too long, and the result. Words spells what a library has names of its own
/// for.
template <class Words>
class expression_writer {
public:
    expression_writer(const program& p, const element& type) : program_(p), type_(type) {}

    [[nodiscard]] std::string body() {
        for (std::size_t i = 0; i < program_.operands.size(); ++i) {
            values_.push_back({operand_name(i), operand_name(i), false});
        }
        for (const node& n : program_.nodes) {
            values_.push_back(write(n));
        }
        flush_notes();
        return parsing::join(extents_, statements_, "    return ", values_[program_.result].text,
                             '\n');
    }

private:
    static constexpr std::size_t widest = 84;

    struct expression {
        std::string text;
        std::string name;   ///< of the variable that holds it if it becomes a statement
        bool binary;        ///< holds an operator
        bool open = false;  ///< needs parentheses before a method
    };

    [[nodiscard]] expression write(const node& n) {
        if (n.inputs.empty()) {
            return {Words::zeros(shape_text(n.shape, false)), "zeros", false};
        }
        expression& first = values_[n.inputs[0]];
        if (n.inputs.size() == 1) {
            const std::string object =
                first.open ? parsing::join('(', first.text, ')') : first.text;
            return {object + call(n), first.name, first.binary};
        }
        expression& second = values_[n.inputs[1]];
        for (expression* e : {&first, &second}) {
            if (e->binary) {
                settle(*e);
            }
        }
        while (first.text.size() + second.text.size() > widest) {
            expression& longer = first.text.size() >= second.text.size() ? first : second;
            if (longer.text == longer.name) {
                break;
            }
            settle(longer);
        }
        const std::size_t value = values_.size();
        if (program_.is_summed_product(value)) {
            notes_ += parsing::join("    # ", product_warning(program_, value, type_), '\n');
        }
        const std::string name = std::min(first.name, second.name);
        if (n.what == operation::convolution) {
            return {Words::convolution(first.text, second.text,
                                       extent_text(program_.shape_of(n.inputs[0])[1])),
                    name, true};
        }
        return {parsing::join(first.text, n.what == operation::matmul ? " @ " : " * ", second.text),
                name, true, true};
    }

    /// The method that a node with one input is.
    [[nodiscard]] std::string call(const node& n) {
        switch (n.what) {
            case operation::permute:
                return parsing::join('.', Words::permute, '(', listed(n.numbers), ')');
            case operation::reshape: {
                const std::string to = shape_text(n.shape, true);
                return parsing::join(".reshape(", to.empty() ? "()" : to, ')');
            }
            case operation::diagonal: return parsing::join(".diagonal(0, ", listed(n.numbers), ')');
            case operation::sum: {
                const bool all = n.shape.empty();
                std::string axes = listed(n.numbers);
                if (n.numbers.size() > 1) {
                    axes = parsing::join('(', axes, ')');
                }
                // Sums of integers would become int64.
                const char* keep = type_.integral ? "dtype=a.dtype" : "";
                return parsing::join(".sum(", all ? "" : axes, !all && type_.integral ? ", " : "",
                                     keep, ')');
            }
            default: return "";
        }
    }

    /// Makes a statement of an expression; the variable stands for it from then on.
    void settle(expression& e) {
        if (e.text != e.name) {
            flush_notes();
            statements_ += parsing::join("    ", e.name, " = ", e.text, '\n');
            e = {e.name, e.name, false};
        }
    }
    void flush_notes() {
        statements_ += notes_;
        notes_.clear();
    }

    /// infer: one extent that is known at run time only may be left to the library.
    [[nodiscard]] std::string shape_text(const shape& s, bool infer) {
        const auto dynamic = [&](const axis& a) { return program_.labels.is_dynamic(a); };
        const bool alone = infer && std::count_if(s.begin(), s.end(), dynamic) == 1;
        return listed(s, [&](const axis& a) -> std::string {
            return alone && dynamic(a) ? "-1" : extent_text(a);
        });
    }
    [[nodiscard]] std::string extent_text(const axis& a) {
        std::string text;
        std::int64_t fixed = 1;
        for (const label l : a) {
            if (program_.labels.is_dynamic(l)) {
                text += parsing::join(text.empty() ? "" : " * ", extent_variable(l));
            } else {
                fixed *= program_.labels.extent(l);
            }
        }
        if (text.empty()) {
            return std::to_string(fixed);
        }
        return fixed == 1 ? text : parsing::join(text, " * ", fixed);
    }
    [[nodiscard]] std::string extent_variable(label l) {
        const auto [operand, place] = source_of(program_, l);
        std::string name =
            parsing::join("extent_", program_.labels.names[static_cast<std::size_t>(l)]);
        const std::string line =
            parsing::join("    ", name, " = ", operand_name(operand), ".shape[", place, "]\n");
        if (extents_.find(line) == std::string::npos) {
            extents_ += line;
        }
        return name;
    }

    const program& program_;
    const element& type_;
    std::vector<expression> values_{};
    std::string extents_{};
    std::string statements_{};
    std::string notes_{};
};

}  // namespace xeinsum::emission
