// A plan in words: step by step the equation, such as "ij,jk->ik", the classes of its labels, the
// lowering that was chosen, and what the others were predicted to cost.
#pragma once

#include <xeinsum/equation/classify.hpp>
#include <xeinsum/equation/equation.hpp>
#include <xeinsum/equation/list_view.hpp>
#include <xeinsum/equation/network.hpp>
#include <xeinsum/plan/step/mode_table.hpp>
#include <xeinsum/plan/step/step.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace xeinsum::planning {

/// 1.5e-6 s as "1.5 us".
[[nodiscard]] inline std::string seconds_text(double seconds) {
    constexpr std::array<const char*, 4> units{"s", "ms", "us", "ns"};
    std::size_t unit = 0;
    while (unit + 1 < units.size() && seconds < 1) {
        seconds *= 1e3;
        ++unit;
    }
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.3g %s", seconds, units[unit]);
    return text.data();
}

/// Exact up to a million, then "2.88e+08".
[[nodiscard]] inline std::string count_text(double count) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), count < 1e6 ? "%.0f" : "%.4g", count);
    return text.data();
}

/// Spells the labels of an equation, axes under "..." included.
template <class Storage>
class label_speller {
public:
    label_speller(const basic_equation<Storage>& eq, const network_view& net)
        : equation_(eq), named_(net.named_labels), apart_(eq.notation() != notation::letters) {
        // Axes under "..." have no name: they get letters that the equation leaves free.
        char next = 'A';
        for (std::size_t l = named_; l < net.label_count; ++l) {
            while (next <= 'Z' && eq.text().find(next) != std::string_view::npos) {
                ++next;
            }
            covered_.push_back(next <= 'Z' ? std::string(1, next++) : numbered(l - named_));
            apart_ = apart_ || covered_.back().size() > 1;
        }
    }

    [[nodiscard]] std::string name(label l) const {
        const auto i = static_cast<std::size_t>(l);
        return i < named_ ? std::string(equation_.name(l)) : covered_[i - named_];
    }
    [[nodiscard]] std::string term(list_view<const label> labels) const {
        std::string text;
        for (const label l : labels) {
            text += apart_ && !text.empty() ? " " : "";
            text += name(l);
        }
        return text;
    }
    /// "... stands for A B", or nothing.
    [[nodiscard]] std::string legend() const {
        std::string text;
        for (const std::string& name : covered_) {
            text += text.empty() ? "... stands for " : " ";
            text += name;
        }
        return text;
    }

private:
    [[nodiscard]] static std::string numbered(std::size_t axis) {
        std::string text = "...";
        text += std::to_string(axis);
        return text;
    }

    const basic_equation<Storage>& equation_;
    std::size_t named_;
    bool apart_;
    std::vector<std::string> covered_{};
};

/// One list for each of index_classes.
using labels_by_class = std::array<std::vector<label>, index_classes.size()>;

/// The labels above extent 1 of a step's inputs, each once.
[[nodiscard]] inline labels_by_class classes_of(const plan_view& plan, const step& s) {
    const auto ids = plan.inputs_of(s);
    const auto in = [&](array_id id, label l) { return plan.term(id).holds(l); };
    labels_by_class classes;
    std::vector<label> seen;
    for (const array_id id : ids) {
        for (const label l : plan.term(id).labels) {
            if (std::find(seen.begin(), seen.end(), l) != seen.end()) {
                continue;
            }
            seen.push_back(l);
            const bool survives = in(s.output, l);
            const bool shared = std::count_if(ids.begin(), ids.end(),
                                              [&](array_id other) { return in(other, l); }) > 1;
            const index_class c = ids.size() == 2 ? classify(in(ids[0], l), in(ids[1], l), survives)
                                                  : classify(true, shared, survives);
            classes[static_cast<std::size_t>(c)].push_back(l);
        }
    }
    return classes;
}

/// With other than two inputs there is no lhs: free labels are one input's, batch ones several's.
[[nodiscard]] constexpr std::string_view class_text(index_class c, std::size_t inputs) {
    if (inputs != 2 && c == index_class::lhs_free) {
        return "free";
    }
    if (inputs != 2 && c == index_class::lhs_only) {
        return "summed";
    }
    return name(c);
}

/// Writes one plan to a stream.
template <class Storage>
class plan_printer {
public:
    /// has_threads: whether pieces run at the same time unless a run is given other threads.
    plan_printer(std::ostream& out, const basic_equation<Storage>& eq, const network_view& net,
                 const plan_view& plan, bool has_threads)
        : out_(out), plan_(plan), net_(net), spell_(eq, net), has_threads_(has_threads) {}

    /// describe(recipe, mode table) gives a lowering's own words.
    template <class Describe>
    void print(std::string_view text, std::size_t workspace_bytes, Describe describe) {
        double flops = 0;
        double seconds = 0;
        for (const step& s : plan_.steps) {
            flops += s.flops * plan_.runs_of(s);
            seconds += s.seconds * plan_.runs_of(s);
        }
        out_ << "plan of " << text << '\n';
        if (const std::string legend = spell_.legend(); !legend.empty()) {
            out_ << "  " << legend << '\n';
        }
        out_ << "  extents:";
        for (std::size_t l = 0; l < plan_.extents.size(); ++l) {
            out_ << ' ' << spell_.name(static_cast<label>(l)) << '='
                 << plan_.whole_extent(static_cast<label>(l));
        }
        out_ << '\n';
        if (plan_.sums_nothing) {
            out_ << "  an extent is 0: the result has no element or is all zeros\n";
            return;
        }
        out_ << "  " << plan_.steps.size() << (plan_.steps.size() == 1 ? " step, " : " steps, ")
             << count_text(flops) << " flops, predicted " << seconds_text(seconds);
        if (plan_.steps.size() > 1) {
            out_ << ", largest intermediate " << largest_intermediate() << " elements";
        }
        out_ << ", workspace " << workspace_bytes << " bytes\n";
        print_slices();
        for (std::size_t i = 0; i < plan_.steps.size(); ++i) {
            print_step(i, describe);
        }
    }

private:
    [[nodiscard]] std::int64_t largest_intermediate() const {
        std::int64_t largest = 0;
        for (const step& s : plan_.steps) {
            largest =
                std::max(largest, s.output == result_array ? 0 : plan_.array(s.output).elements);
        }
        return largest;
    }

    void print_slices() {
        const char* separator = "  slices: ";
        for (const label_slices& s : plan_.slices) {
            out_ << separator << spell_.name(s.id) << " as " << s.count << " of " << s.extent
                 << (s.kept ? "" : ", added up");
            separator = "; ";
        }
        if (!plan_.slices.empty()) {
            const bool all = !plan_.steps.front().same_in_all_slices;
            out_ << (all ? "; the steps run " : "; steps run ")
                 << count_text(static_cast<double>(plan_.slice_count())) << " times"
                 << (all ? "" : " unless they are the same in all slices")
                 << ", their figures are for once\n";
        }
    }

    /// The labels of an array as the caller wrote them; intermediates have none of extent 1.
    [[nodiscard]] std::string term(array_id id) const {
        if (id == result_array) {
            return spell_.term(net_.output);
        }
        return static_cast<std::size_t>(id) < plan_.operand_count
                   ? spell_.term(net_.operand(static_cast<std::size_t>(id)))
                   : spell_.term(plan_.term(id).labels);
    }

    void print_array(array_id id) {
        const auto i = static_cast<std::size_t>(id);
        out_ << (plan_.array(id).constant ? "constant " : "");
        if (id == result_array) {
            out_ << "result";
        } else if (i < plan_.operand_count) {
            out_ << "operand " << i;
        } else {
            out_ << "intermediate " << i - plan_.operand_count;
        }
    }

    template <class Describe>
    void print_step(std::size_t i, Describe describe) {
        const step& s = plan_.steps[i];
        const auto ids = plan_.inputs_of(s);
        out_ << "  step " << i + 1 << ": ";
        for (std::size_t k = 0; k < ids.size(); ++k) {
            out_ << (k == 0 ? "" : ",") << term(ids[k]);
        }
        out_ << "->" << term(s.output) << "    ("
             << kind_text(s.kind, ids.size() == plan_.operand_count) << ": ";
        for (const array_id id : ids) {
            print_array(id);
            out_ << (id == ids.back() ? " -> " : ", ");
        }
        print_array(s.output);
        out_ << ")\n";
        print_classes(s);
        print_costs(s);
        print_modes(s, describe);
    }

    [[nodiscard]] static const char* kind_text(step_kind kind, bool all) {
        switch (kind) {
            case step_kind::rearrange: return "one operand";
            case step_kind::presum: return "sums over labels of one operand alone";
            case step_kind::pairwise: return "a pair";
            case step_kind::fused: return all ? "all operands in one pass" : "several in one pass";
            case step_kind::reorder: return "a copy in another order";
        }
        return "?";
    }

    void print_classes(const step& s) {
        const labels_by_class classes = classes_of(plan_, s);
        bool any = false;
        for (const index_class c : index_classes) {
            const auto& labels = classes[static_cast<std::size_t>(c)];
            if (!labels.empty()) {
                out_ << (any ? "; " : "    classes: ") << class_text(c, s.input_count) << ' '
                     << spell_.term(labels);
                any = true;
            }
        }
        out_ << (any ? "\n" : "    classes: no label above extent 1\n");
    }

    void print_costs(const step& s) {
        out_ << "    lowering: " << name(s.how.chosen) << "    predicted:";
        for (std::size_t c = 0; c < s.costs.size(); ++c) {
            out_ << (c == 0 ? " " : ", ") << name(lowerings_in_order[c]) << ' ';
            if (s.costs[c].refusal == nullptr) {
                out_ << seconds_text(s.costs[c].seconds);
            } else {
                out_ << "not applicable (" << s.costs[c].refusal << ')';
            }
        }
        out_ << '\n';
    }

    template <class Describe>
    void print_modes(const step& s, Describe describe) {
        // The printer only reads the rows.
        const mode_table rows(const_cast<std::int64_t*>(plan_.cells.data()) + s.cells_begin,
                              s.input_count, s.mode_count);
        out_ << "    " << describe(s.how, rows) << "; " << count_text(s.flops) << " flops, scratch "
             << s.how.scratch_bytes << " bytes\n";
        print_split(s.how.split, rows);
        for (std::size_t m = 0; m < rows.size(); ++m) {
            out_ << "    mode " << m << ": extent " << rows.extent(m)
                 << (rows.survives(m) ? "" : ", summed") << ", strides";
            for (std::size_t array = 1; array <= rows.inputs(); ++array) {
                out_ << ' ' << rows.stride(m, array);
            }
            out_ << " -> " << rows.stride(m, 0) << '\n';
        }
    }

    void print_split(const work_split& split, const mode_table& rows) {
        if (!split.is_cut()) {
            return;
        }
        const char* separator = "    cut into ";
        for (const mode_cut& cut : split.cuts) {
            if (cut.pieces > 1) {
                out_ << separator << cut.pieces << " pieces of mode "
                     << static_cast<unsigned>(cut.row) << " (up to "
                     << cut.begin(1, rows.extent(cut.row)) << " of " << rows.extent(cut.row) << ')';
                separator = ", ";
            }
        }
        out_ << (split.between_terms ? ", added up in order" : "") << "; ";
        if (split.workers == 1) {
            out_ << "1 at a time\n";
        } else if (has_threads_) {
            out_ << split.workers << " at the same time\n";
        } else {
            out_ << "1 at a time, as this build has no threads; " << split.workers
                 << " where run is given a parallel_for\n";
        }
    }

    std::ostream& out_;
    plan_view plan_;
    network_view net_;
    label_speller<Storage> spell_;
    bool has_threads_;
};

}  // namespace xeinsum::planning
