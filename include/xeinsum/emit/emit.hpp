// A plan written down for another library: that of "nctw,cd->ndtw" as a function of two PyTorch
// tensors, or as an ONNX model.
#pragma once

#include <xeinsum/emit/numpy.hpp>
#include <xeinsum/emit/onnx_text.hpp>
#include <xeinsum/emit/program.hpp>
#include <xeinsum/emit/target.hpp>
#include <xeinsum/emit/torch.hpp>
#include <xeinsum/emit/write.hpp>
#include <xeinsum/emit/xtensor.hpp>
#include <xeinsum/equation/equation.hpp>
#include <xeinsum/equation/error.hpp>
#include <xeinsum/equation/join.hpp>
#include <xeinsum/equation/lexer.hpp>
#include <xeinsum/equation/network.hpp>
#include <xeinsum/equation/parser.hpp>
#include <xeinsum/plan/grouped_arrays.hpp>
#include <xeinsum/plan/print.hpp>
#include <xeinsum/plan/step/step.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace xeinsum::emission {

/// What there is to write down.
struct planned {
    const xeinsum::equation& equation;
    network_view network{};
    plan_view plan{};
    std::vector<std::vector<std::int64_t>> extents{};  ///< of every operand
    element type{};
    const planning::grouped_arrays* groups = nullptr;  ///< of an equation that has any
};

template <class Planned>
[[noreturn]] void refuse(const Planned& p, const char* reason) {
    problem found;
    found.code = error_code::not_emittable;
    found.reason = reason;
    parsing::raise(found, p.equation);
}

/// Which labels have an extent that is an example only. Throws einsum_error for a name that the
/// equation lacks.
template <class Planned>
[[nodiscard]] std::vector<bool> dynamic_labels(const Planned& p,
                                               const std::vector<std::string>& names) {
    std::vector<bool> dynamic(p.network.label_count, false);
    for (const std::string& name : names) {
        bool found = false;
        for (std::size_t l = 0; l < dynamic.size(); ++l) {
            const bool covered = l >= p.network.named_labels;
            if (name == (covered ? "..." : p.equation.name(static_cast<label>(l)))) {
                dynamic[l] = found = true;
            }
        }
        if (!found) {
            refuse(p, "the equation lacks a label that is called dynamic");
        }
    }
    return dynamic;
}

/// "ij,jk->ik for (2, 3) and (3, 4)"
template <class Planned>
[[nodiscard]] std::string title(const Planned& p) {
    std::string text(p.equation.text());
    const char* separator = " for ";
    for (const auto& extents : p.extents) {
        text += parsing::join(separator, '(', listed(extents), extents.size() == 1 ? ",)" : ")");
        separator = ", ";
    }
    return text;
}

template <class Words, class Planned>
[[nodiscard]] std::string python_function(const Planned& p, const program& made,
                                          const emit_options& wanted) {
    std::vector<std::string> parameters;
    for (std::size_t i = 0; i < p.extents.size(); ++i) {
        parameters.push_back(operand_name(i));
    }
    return parsing::join("# ", title(p), "\ndef ", wanted.function, '(', listed(parameters), "):\n",
                         expression_writer<Words>(made, p.type).body());
}

/// A label's name where a target wants an identifier that no other label has: "label_minus_1" for
/// the integer -1, "ellipsis_0" for an axis under "..." without a letter.
template <class Names>
[[nodiscard]] std::string identifier(std::string name, const Names& others) {
    if (!parsing::is_letter(name.front())) {
        const bool covered = name.rfind("...", 0) == 0;
        const bool negative = name.front() == '-';
        name = parsing::join(covered    ? "ellipsis_"
                             : negative ? "label_minus_"
                                        : "label_",
                             name.substr(covered    ? 3
                                         : negative ? 1
                                                    : 0));
    }
    while (std::find(others.begin(), others.end(), name) != others.end()) {
        name += '_';
    }
    return name;
}

/// The operations of a plan for a target that is able to do so much; dynamic: by label. Throws
/// einsum_error.
template <class Planned>
[[nodiscard]] program program_of(const Planned& p, std::vector<bool> dynamic,
                                 const abilities& able) {
    label_table labels{{}, std::move(dynamic), {}};
    for (std::size_t l = 0; l < p.plan.extents.size(); ++l) {
        labels.extents.push_back(p.plan.whole_extent(static_cast<label>(l)));
    }
    const planning::label_speller spell(p.equation, p.network);
    for (std::size_t l = 0; l < labels.extents.size(); ++l) {
        labels.names.push_back(identifier(spell.name(static_cast<label>(l)), labels.names));
    }
    program made = writer(p.network, p.extents, p.plan, std::move(labels), able, p.groups).write();
    for (std::size_t l = 0; l < made.labels.extents.size(); ++l) {
        const axis alone{static_cast<label>(l)};
        if (made.labels.is_dynamic(alone) &&
            std::none_of(made.operands.begin(), made.operands.end(), [&](const shape& s) {
                return std::find(s.begin(), s.end(), alone) != s.end();
            })) {
            refuse(p, "the extent of a label that has no axis of its own must be known");
        }
    }
    for (const node& n : made.nodes) {
        if (n.what == operation::stride && made.labels.is_dynamic(n.shape.back())) {
            refuse(p, "the extent of a label that a term repeats must be known");
        }
    }
    return made;
}

[[nodiscard]] inline abilities onnx_abilities(const element& type) {
    return {.diagonal = false, .convolution = !type.integral && !type.complex};
}

/// The text for a target. Throws einsum_error, code not_emittable, where the target cannot express
/// the plan.
template <class Planned>
[[nodiscard]] std::string emit(const Planned& p, target to, const emit_options& wanted) {
    const auto program_for = [&](const abilities& able) {
        return program_of(p, dynamic_labels(p, wanted.dynamic), able);
    };
    switch (to) {
        case target::torch:
            return python_function<torch_words>(p, program_for(torch_words::able(p.type)), wanted);
        case target::numpy:
            return python_function<numpy_words>(p, program_for(numpy_words::able(p.type)), wanted);
        case target::onnx_text:
            return parsing::join("# ", title(p), '\n',
                                 onnx_text(program_for(onnx_abilities(p.type)), p.type,
                                           wanted.function, wanted.opset));
        case target::xtensor: {
            const program made = program_for(xtensor_writer<program>::able());
            return parsing::join("// ", title(p), '\n',
                                 xtensor_writer(made, p.type).function(wanted.function));
        }
    }
    problem found;
    found.code = error_code::bad_option;
    found.reason = "target";
    found.found = static_cast<std::int64_t>(to);
    parsing::raise(found, p.equation);
}

}  // namespace xeinsum::emission
