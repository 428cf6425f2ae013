// The text of a saved plan, read: from equation "ij,jk,kl->il" and found_path [[1, 2], [0, 3]] what
// a planner needs to make the same plan without a search.
#pragma once

#include <xeinsum/equation/equation.hpp>
#include <xeinsum/equation/error.hpp>
#include <xeinsum/equation/join.hpp>
#include <xeinsum/equation/list_reader.hpp>
#include <xeinsum/plan/key.hpp>
#include <xeinsum/plan/layout.hpp>
#include <xeinsum/plan/options.hpp>
#include <xeinsum/plan/saved_plan.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <locale>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace xeinsum::planning {

/// Reads what text_of has written. Throws einsum_error, malformed_plan, where it is something else.
class saved_plan_reader {
public:
    /// Lines are counted from first_line.
    saved_plan_reader(std::string_view text, std::size_t first_line)
        : text_(text), next_line_(first_line) {}

    [[nodiscard]] saved_plan read() {
        saved_plan out;
        line("element", [&](auto& in) { out.element = in.word(); });
        notation how{};
        line("notation", [&](auto& in) {
            how = value<notation>(in, [](notation n) {
                const auto i = static_cast<std::size_t>(n);
                return i < notation_names.size() ? notation_names[i] : "?";
            });
        });
        std::string equation;
        line("equation", [&](auto& in) { equation = in.string(); });
        std::size_t count = 0;
        line("operands", [&](auto& in) { count = in.template number<std::size_t>(); });
        std::vector<layout> operands;
        for (std::size_t i = 0; i < count; ++i) {  // as many as there are lines
            line("operand", [&](auto& in) {
                layout l;
                in.list([&] { l.extents.push_back(in.template number<std::int64_t>()); });
                in.list([&] { l.strides.push_back(in.template number<std::int64_t>()); });
                operands.push_back(std::move(l));
            });
        }
        std::vector<std::int64_t> lengths;
        line("lengths", [&](auto& in) {
            in.list([&] { lengths.push_back(in.template number<std::int64_t>()); });
        });
        read_options();
        line("found_path", [&](auto& in) { out.path.path = pairs_of<std::size_t>(in); });
        line("found_slices", [&](auto& in) { out.path.slices = slices_of(in); });
        if (!text_.empty()) {
            line("checksum", [](auto& in) { in.refuse("the checksum is expected"); });
        }
        out.path.given = true;
        wanted_.path_pairs = pairs_;
        wanted_.slices = slices_;
        out.key = plan_key(equation, how, std::move(operands), wanted_, std::move(lengths));
        return out;
    }

private:
    void read_options() {
        line("lowering", [&](auto& in) {
            wanted_.lowering = value<lowering>(in, [](lowering l) { return name(l); });
        });
        line("path", [&](auto& in) {
            wanted_.path = value<path_strategy>(in, [](path_strategy s) { return name(s); });
        });
        line("memory_limit", [&](auto& in) {
            const std::size_t begin = in.here();
            if (in.word() != "none") {
                in.back(begin);
                wanted_.memory_limit = in.template number<std::size_t>();
            }
        });
        line("threads", [&](auto& in) { wanted_.threads = in.template number<unsigned>(); });
        line("path_cost", [&](auto& in) {
            wanted_.path_cost.per_operation = real(in);
            wanted_.path_cost.per_element = real(in);
            wanted_.path_cost.per_step = real(in);
        });
        line("path_restarts",
             [&](auto& in) { wanted_.path_restarts = in.template number<std::size_t>(); });
        line("path_seconds", [&](auto& in) { wanted_.path_seconds = real(in); });
        line("path_pairs", [&](auto& in) { pairs_ = pairs_of<std::size_t>(in); });
        line("slices", [&](auto& in) { slices_ = slices_of(in); });
    }

    /// Calls read(list_reader&) behind the first word of the next line, which it reads to its end.
    template <class Read>
    void line(std::string_view word, Read read) {
        const std::string expected = parsing::join(describe(error_code::malformed_plan), ": line ",
                                                   next_line_, " begins with '", word, '\'');
        const std::size_t end = std::min(text_.find('\n'), text_.size());
        parsing::list_reader in(text_.substr(0, end), error_code::malformed_plan, expected);
        if (in.word() != word) {
            in.back(0);
            in.refuse("and this one does not");
        }
        read(in);
        in.end();
        text_.remove_prefix(std::min(end + 1, text_.size()));
        ++next_line_;
    }

    /// The value of an enumeration with a name; the first without one is named "?".
    template <class Value, class Name>
    [[nodiscard]] static Value value(parsing::list_reader& in, Name name_of) {
        const std::size_t begin = in.here();
        const std::string_view word = in.word();
        for (unsigned char v = 0; name_of(static_cast<Value>(v)) != "?"; ++v) {
            if (name_of(static_cast<Value>(v)) == word) {
                return static_cast<Value>(v);
            }
        }
        in.back(begin);
        in.refuse("there is no such value");
    }
    [[nodiscard]] static double real(parsing::list_reader& in) {
        const std::size_t begin = in.here();
        const std::string word(in.word());
        using limits = std::numeric_limits<double>;
        for (const double special :
             {limits::infinity(), -limits::infinity(), limits::quiet_NaN()}) {
            if (word == exact_text(special)) {
                return special;
            }
        }
        std::istringstream stream(word);
        stream.imbue(std::locale::classic());
        double x = 0;
        stream >> x;
        if (!stream || stream.peek() != std::istringstream::traits_type::eof()) {
            in.back(begin);
            in.refuse("a number is expected");
        }
        return x;
    }
    template <class A, class B = A>
    [[nodiscard]] static std::vector<std::pair<A, B>> pairs_of(parsing::list_reader& in) {
        return in.pairs<A, B>("a number is expected");
    }
    [[nodiscard]] static std::vector<sliced_label> slices_of(parsing::list_reader& in) {
        std::vector<sliced_label> out;
        for (const auto& [id, count] : pairs_of<label, std::int64_t>(in)) {
            out.push_back({id, count});
        }
        return out;
    }

    std::string_view text_;
    std::size_t next_line_;
    options wanted_{};
    std::vector<std::pair<std::size_t, std::size_t>> pairs_{};
    std::vector<sliced_label> slices_{};
};

}  // namespace xeinsum::planning
