// Draws plans. A row of tiles stands for an array, such as "ij", a tile for an axis: its label, its
// extent, and in colour the class of the label in the step that reads the array.
#include "explain_svg.hpp"

#include <xeinsum/emit/expressions.hpp>
#include <xeinsum/plan/print.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace example {
namespace {

using xeinsum::array_id;
using xeinsum::index_class;
using xeinsum::index_classes;
using xeinsum::label;
using xeinsum::result_array;
using xeinsum::step;
using xeinsum::step_kind;

// Pixels. A character of the common monospaced fonts is at most 0.61 of their size wide.
constexpr double font = 12, character = 0.61 * font, line = 17, padding = 8, gap = 18;
constexpr double tile_height = 2 * line + 2, level_gap = 30, margin = 20;

constexpr std::string_view grey = "#eeeeee", white = "#ffffff";
/// One for each of index_classes.
constexpr std::array<std::string_view, index_classes.size()> fills{"#bcd9f7", "#c5ecc0", "#fbe9a0",
                                                                   "#f9c4bd", "#dccbf3", "#f6c9e6"};

bool is_summed(index_class c) {
    return c == index_class::contracted || c == index_class::lhs_only || c == index_class::rhs_only;
}

std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
        switch (c) {
            case '&': out += "&amp;"; break;
            case '<': out += "&lt;"; break;
            case '>': out += "&gt;"; break;
            case '"': out += "&quot;"; break;
            default: out += c;
        }
    }
    return out;
}

double width_of(std::string_view text) {
    return character * static_cast<double>(text.size());
}

struct tile {
    std::string name{};
    std::string extent{};
    std::string_view fill{};
    bool summed = false;

    [[nodiscard]] double width() const {
        return std::ceil(std::max(width_of(name), width_of(extent)) + padding);
    }
};

/// An array, with the step that makes it if one does.
struct box {
    std::vector<std::string> lines{};  ///< the first one is bold
    std::vector<tile> tiles{};
    std::vector<std::size_t> inputs{};
    std::size_t level = 0;  ///< steps between here and the result
    double left = 0;        ///< of the space for this box and all above it
    double space = 0;
    bool is_step = false;

    [[nodiscard]] double tiles_width() const {
        double width = tiles.empty() ? width_of("scalar") : 0;
        for (const tile& t : tiles) {
            width += t.width();
        }
        return width;
    }
    [[nodiscard]] double width() const {
        double width = tiles_width();
        for (const std::string& text : lines) {
            width = std::max(width, width_of(text));
        }
        return width + 2 * padding;
    }
    [[nodiscard]] double height() const {
        return line * static_cast<double>(lines.size()) + tile_height + 2 * padding;
    }
    [[nodiscard]] double centre() const { return left + space / 2; }
};

class drawing {
public:
    explicit drawing(const drawn_plan& drawn)
        : drawn_(drawn), plan_(drawn.plan), spell_(drawn.equation, drawn.network) {
        add_boxes();
        add_head();
        place();
    }

    std::string text() {
        const double below = margin + line * static_cast<double>(head_.size()) + level_gap / 2 +
                             (legend_.empty() ? 0 : tile_height);
        double width = margin + boxes_.back().space;
        for (const std::string& text : head_) {
            width = std::max(width, margin + width_of(text));
        }
        double legend_width = margin;
        for (const tile& t : legend_) {
            legend_width += t.width() + gap / 2;
        }
        width = std::max(width, legend_width) + margin;
        double height = below;
        for (const double level : level_heights_) {
            height += level + level_gap;
        }
        // All is centred, and in front of white, as the page may be dark.
        out_ << "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " << width << ' ' << height
             << "\" width=\"" << width << "\" height=\"" << height
             << "\" font-family=\"DejaVu Sans Mono, Menlo, Consolas, monospace\" font-size=\""
             << font << "\" fill=\"#111111\">\n<title>plan of " << escaped(drawn_.equation.text())
             << "</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n";
        for (std::size_t i = 0; i < head_.size(); ++i) {
            write(margin, margin + line * static_cast<double>(i + 1) - 4, head_[i], i == 0,
                  "start");
        }
        double x = margin;
        for (const tile& t : legend_) {
            write_tile(x, margin + line * static_cast<double>(head_.size()) + 6, line + 4, t);
            x += t.width() + gap / 2;
        }
        const double shift = (width - boxes_.back().space) / 2;
        std::vector<double> tops(level_heights_.size());
        double top = below;
        for (std::size_t l = level_heights_.size(); l-- > 0;) {
            tops[l] = top;
            top += level_heights_[l] + level_gap;
        }
        // The boxes of a level end at the same height.
        const auto bottom = [&](const box& b) { return tops[b.level] + level_heights_[b.level]; };
        for (const box& b : boxes_) {
            for (std::size_t i = 0; i < b.inputs.size(); ++i) {
                const box& input = boxes_[b.inputs[i]];
                // Inputs meet the box side by side.
                const double at =
                    b.centre() + b.width() * (static_cast<double>(i + 1) /
                                                  static_cast<double>(b.inputs.size() + 1) -
                                              0.5);
                out_ << "<path d=\"M" << shift + input.centre() << ' ' << bottom(input) << "L"
                     << shift + at << ' ' << bottom(b) - b.height()
                     << "\" stroke=\"#555555\" stroke-width=\"1.5\"/>\n";
            }
        }
        for (const box& b : boxes_) {
            write_box(b, shift + b.centre() - b.width() / 2, bottom(b) - b.height());
        }
        out_ << "</svg>\n";
        return out_.str();
    }

private:
    /// Boxes in the order of the arrays, the result last: inputs come before what reads them.
    void add_boxes() {
        const std::size_t operands = plan_.operand_count;
        for (std::size_t i = 0; i < operands; ++i) {
            box b;
            b.lines = {"operand " + std::to_string(i)};
            const auto labels = drawn_.network.operand(i);
            for (std::size_t axis = 0; axis < labels.size(); ++axis) {
                b.tiles.push_back(tile_of(static_cast<array_id>(i), labels[axis],
                                          drawn_.operands[i].extents[axis]));
            }
            boxes_.push_back(std::move(b));
        }
        std::vector<std::size_t> made_by(plan_.arrays.size(), 0);
        for (std::size_t i = 0; i < operands; ++i) {
            made_by[i] = i;
        }
        for (std::size_t i = 0; i < plan_.steps.size(); ++i) {
            const step& s = plan_.steps[i];
            box b;
            b.is_step = true;
            double elements = count(s.output);
            for (const array_id id : plan_.inputs_of(s)) {
                elements += count(id);
                b.inputs.push_back(made_by[static_cast<std::size_t>(id)]);
            }
            const double bytes = elements * static_cast<double>(drawn_.element_bytes);
            b.lines = {"step " + std::to_string(i + 1) + ": " + std::string(name(s.how.chosen)),
                       xeinsum::planning::count_text(s.flops) + " flops, " +
                           xeinsum::emission::bytes_text(bytes)};
            if (s.kind == step_kind::presum || s.kind == step_kind::reorder) {
                b.lines.push_back(s.kind == step_kind::presum ? "sums of one operand"
                                                              : "a copy in another order");
            }
            if (s.output == result_array) {
                b.lines.push_back("result");
                add_result(b);
            } else {
                const auto id = static_cast<std::size_t>(s.output);
                b.lines.push_back("intermediate " + std::to_string(id - operands));
                for (const label l : plan_.term(s.output).labels) {
                    b.tiles.push_back(
                        tile_of(s.output, l, plan_.extents[static_cast<std::size_t>(l)]));
                }
                made_by[id] = boxes_.size();
            }
            boxes_.push_back(std::move(b));
        }
        if (plan_.steps.empty()) {
            box b;
            b.lines = {"result, without a step"};
            for (std::size_t i = 0; i < operands; ++i) {
                b.inputs.push_back(i);
            }
            add_result(b);
            boxes_.push_back(std::move(b));
        }
    }

    void add_result(box& b) const {
        for (const label l : drawn_.network.output) {
            const std::int64_t extent = plan_.whole_extent(l);
            b.tiles.push_back({spell_.name(l), std::to_string(extent), white});
        }
    }

    /// What a step reads or writes in one slice.
    [[nodiscard]] double count(array_id id) const {
        double elements = 1;
        for (const label l : plan_.term(id).labels) {
            elements *= static_cast<double>(plan_.extents[static_cast<std::size_t>(l)]);
        }
        return elements;
    }

    [[nodiscard]] tile tile_of(array_id array, label l, std::int64_t extent) {
        tile t{spell_.name(l), std::to_string(extent), grey};
        std::string_view text = "extent 1";
        for (const step& s : plan_.steps) {
            const auto ids = plan_.inputs_of(s);
            if (std::find(ids.begin(), ids.end(), array) == ids.end() ||
                !plan_.term(array).holds(l)) {
                continue;
            }
            const auto classes = xeinsum::planning::classes_of(plan_, s);
            for (const index_class c : index_classes) {
                const auto i = static_cast<std::size_t>(c);
                if (std::find(classes[i].begin(), classes[i].end(), l) != classes[i].end()) {
                    t.fill = fills[i];
                    t.summed = is_summed(c);
                    text = xeinsum::planning::class_text(c, ids.size());
                }
            }
        }
        if (plan_.steps.empty()) {
            t.fill = white;
        } else if (std::none_of(legend_.begin(), legend_.end(),
                                [&](const tile& known) { return known.name == text; })) {
            legend_.push_back({std::string(text), "", t.fill, t.summed});
        }
        return t;
    }

    void add_head() {
        head_.emplace_back(drawn_.equation.text());
        if (std::string covered = spell_.legend(); !covered.empty()) {
            head_.push_back(std::move(covered));
        }
        if (plan_.steps.empty()) {
            head_.emplace_back("an extent is 0: the result has no element or is all zeros");
            return;
        }
        double flops = 0;
        for (const step& s : plan_.steps) {
            flops += s.flops * plan_.runs_of(s);
        }
        std::string figures = std::to_string(plan_.steps.size());
        figures += plan_.steps.size() == 1 ? " step, " : " steps, ";
        figures += xeinsum::planning::count_text(flops) +
                   " flops; bytes: inputs and output of a step, once each";
        head_.push_back(std::move(figures));
        if (!plan_.slices.empty()) {
            std::string slices = "slices:";
            for (const xeinsum::label_slices& s : plan_.slices) {
                slices += ' ' + spell_.name(s.id) + " as " + std::to_string(s.count) + " of " +
                          std::to_string(s.extent) + ';';
            }
            head_.push_back(slices + " figures of steps and intermediates are those of one");
        }
        head_.emplace_back("class of a label in the step that reads it; dashed: summed there");
    }

    /// Space and levels: what is above a box takes the width of the box at least.
    void place() {
        for (box& b : boxes_) {
            b.space = std::max(b.width(), above(b));
        }
        boxes_.back().level = 0;
        for (std::size_t i = boxes_.size(); i-- > 0;) {
            const box& b = boxes_[i];
            double left = b.left + (b.space - above(b)) / 2;
            for (const std::size_t input : b.inputs) {
                boxes_[input].left = left;
                boxes_[input].level = b.level + 1;
                left += boxes_[input].space + gap;
            }
        }
        for (const box& b : boxes_) {
            level_heights_.resize(std::max(level_heights_.size(), b.level + 1));
            level_heights_[b.level] = std::max(level_heights_[b.level], b.height());
        }
    }

    [[nodiscard]] double above(const box& b) const {
        double width = b.inputs.empty() ? 0 : -gap;
        for (const std::size_t input : b.inputs) {
            width += boxes_[input].space + gap;
        }
        return width;
    }

    void write(double x, double y, std::string_view text, bool bold, std::string_view anchor) {
        out_ << "<text x=\"" << x << "\" y=\"" << y << "\" text-anchor=\"" << anchor << '"'
             << (bold ? " font-weight=\"bold\"" : "") << '>' << escaped(text) << "</text>\n";
    }

    void write_tile(double x, double y, double height, const tile& t) {
        out_ << "<rect x=\"" << x << "\" y=\"" << y << "\" width=\"" << t.width() << "\" height=\""
             << height << "\" fill=\"" << t.fill << "\" stroke=\"#777777\""
             << (t.summed ? " stroke-dasharray=\"4 2\"" : "") << "/>\n";
        const double middle = x + t.width() / 2;
        write(middle, y + line - 3, t.name, !t.extent.empty(), "middle");
        if (!t.extent.empty()) {
            write(middle, y + 2 * line - 3, t.extent, false, "middle");
        }
    }

    void write_box(const box& b, double x, double y) {
        out_ << "<rect x=\"" << x << "\" y=\"" << y << "\" width=\"" << b.width() << "\" height=\""
             << b.height() << "\" rx=\"5\" fill=\"" << (b.is_step ? "#f4f6f8" : "#ffffff")
             << "\" stroke=\"#555555\"/>\n";
        const double middle = x + b.width() / 2;
        for (std::size_t i = 0; i < b.lines.size(); ++i) {
            write(middle, y + padding + line * static_cast<double>(i + 1) - 4, b.lines[i], i == 0,
                  "middle");
        }
        double left = middle - b.tiles_width() / 2;
        const double top = y + padding + line * static_cast<double>(b.lines.size());
        if (b.tiles.empty()) {
            write(middle, top + line, "scalar", false, "middle");
        }
        for (const tile& t : b.tiles) {
            write_tile(left, top, tile_height, t);
            left += t.width();
        }
    }

    const drawn_plan& drawn_;
    xeinsum::plan_view plan_;
    xeinsum::planning::label_speller<xeinsum::heap_storage> spell_;
    std::vector<box> boxes_{};
    std::vector<std::string> head_{};
    std::vector<tile> legend_{};
    std::vector<double> level_heights_{};
    std::ostringstream out_{};
};

}  // namespace

std::string svg_of(const drawn_plan& drawn) {
    return drawing(drawn).text();
}

}  // namespace example
