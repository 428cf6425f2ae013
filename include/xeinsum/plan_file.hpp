// Plans that outlive the program, so that an order of contraction is searched for once:
// save_plan(file, plan) of "ij,jk,kl->il", and load_plan<float>(file) in another run or on another
// machine.
#pragma once

#include <xeinsum/language.hpp>

#include <xeinsum/call/default_arch.hpp>
#include <xeinsum/equation/argument.hpp>
#include <xeinsum/equation/axis_length.hpp>
#include <xeinsum/equation/error.hpp>
#include <xeinsum/equation/join.hpp>
#include <xeinsum/equation/list_reader.hpp>
#include <xeinsum/grouped_plan.hpp>
#include <xeinsum/kernel/simd/element.hpp>
#include <xeinsum/plan.hpp>
#include <xeinsum/plan/layout.hpp>
#include <xeinsum/plan/options.hpp>
#include <xeinsum/plan/path/record.hpp>
#include <xeinsum/plan/read_saved_plan.hpp>
#include <xeinsum/plan/saved_plan.hpp>

#include <array>
#include <charconv>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <istream>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace xeinsum {

namespace detail {

/// "int" or "uint" and the bits.
template <class T>
[[nodiscard]] constexpr std::string_view integer_name() noexcept {
    constexpr bool is_signed = std::is_signed_v<T>;
    switch (sizeof(T)) {
        case 1: return is_signed ? "int8" : "uint8";
        case 2: return is_signed ? "int16" : "uint16";
        case 4: return is_signed ? "int32" : "uint32";
        default: return is_signed ? "int64" : "uint64";
    }
}

}  // namespace detail

/// What a saved plan calls its element type: a word without blanks. Empty for a type that it has no
/// name for, whose plans are not saved unless you specialise it.
template <class T>
inline constexpr std::string_view saved_name = std::is_same_v<T, bool> ? "bool"
                                               : std::is_integral_v<T> ? detail::integer_name<T>()
                                                                       : "";
/// Of float.
template <>
inline constexpr std::string_view saved_name<float> = "float32";
/// Of double.
template <>
inline constexpr std::string_view saved_name<double> = "float64";
/// Of complex numbers.
template <>
inline constexpr std::string_view saved_name<std::complex<float>> = "complex64";
/// Of complex numbers.
template <>
inline constexpr std::string_view saved_name<std::complex<double>> = "complex128";

/// What a saved plan does not say, as it may be loaded elsewhere.
struct load_options {
    /// Threads that a run may use at most; 0 for as many as the plan had that was saved.
    unsigned threads = 0;
    /// See options::machine.
    const xeinsum::machine* machine = nullptr;
};

namespace detail {

inline constexpr std::string_view plan_file_start = "xeinsum plan ";
inline constexpr std::string_view plan_file_version = "1";
inline constexpr std::string_view plan_file_end = "checksum ";

template <class Words>
[[noreturn]] void refuse_plan_file(error_code code, const Words& particulars) {
    refuse_call(code, 0, parsing::join("xeinsum: ", describe(code), ": ", particulars));
}

/// 16 digits.
[[nodiscard]] inline std::string checksum_text(std::string_view text) {
    std::array<char, 16> digits{};
    std::uint64_t sum = planning::checksum(text);
    for (std::size_t i = digits.size(); i-- > 0; sum >>= 4U) {
        digits[i] = "0123456789abcdef"[sum & 0xFU];
    }
    return {digits.data(), digits.size()};
}

/// The lines between the first and the last. Reads no further than the last; keeps no more than
/// what is there.
[[nodiscard]] inline std::string read_plan_file(std::istream& in) {
    // As many characters as a first line has: a file of another kind may have no lines.
    std::string first;
    while (first.size() < plan_file_start.size() + 20) {
        const int c = in.get();
        if (c == std::istream::traits_type::eof() || c == '\n') {
            break;
        }
        first += static_cast<char>(c);
    }
    if (!first.starts_with(plan_file_start)) {
        refuse_plan_file(error_code::malformed_plan,
                         parsing::join("it begins with '", plan_file_start, '\''));
    }
    const std::string_view version = std::string_view(first).substr(plan_file_start.size());
    if (version != plan_file_version) {
        refuse_plan_file(error_code::plan_version,
                         parsing::join('\'', parsing::printable(version), "', and '",
                                       plan_file_version, "' is read"));
    }
    std::string body;
    std::string line;
    while (std::getline(in, line) && !line.starts_with(plan_file_end)) {
        body += line;
        body += '\n';
    }
    if (!in || in.eof()) {
        refuse_plan_file(error_code::malformed_plan, "it ends early");
    }
    if (line.substr(plan_file_end.size()) != checksum_text(body)) {
        refuse_plan_file(error_code::malformed_plan, "its checksum is another");
    }
    return body;
}

/// The text "[0,1],[1,...]->[0,...]" of integer labels, as an equation.
[[nodiscard]] inline equation integer_equation(std::string_view text) {
    const std::size_t arrow = text.find("->");
    const auto terms_of = [](std::string_view part) {
        std::vector<std::vector<std::int64_t>> terms;
        parsing::list_reader in(part, error_code::malformed_plan,
                                describe(error_code::malformed_plan));
        while (terms.empty() || in.take(',')) {
            terms.emplace_back();
            in.list([&] {
                terms.back().push_back(in.take_all("...") ? ellipsis : in.number<std::int64_t>());
            });
        }
        in.end();
        return terms;
    };
    const auto terms = terms_of(text.substr(0, arrow));
    return arrow == std::string_view::npos
               ? equation::from_labels(terms)
               : equation::from_labels(terms, terms_of(text.substr(arrow + 2)).front());
}

/// The lengths of axes by label, as a call gives them.
template <class Equation>
[[nodiscard]] axis_lengths named_lengths(const Equation& eq,
                                         list_view<const std::int64_t> lengths) {
    axis_lengths named;
    for (std::size_t l = 0; l < lengths.size() && l < eq.label_count(); ++l) {
        if (eq.spelled_extent(static_cast<label>(l)) == 0) {
            named.push_back({std::string(eq.name(static_cast<label>(l))), lengths[l]});
        }
    }
    return named;
}

}  // namespace detail

/// Writes what a plan was made of and the path and slices that were found for it, as some lines of
/// text. Several plans may follow one another. Not written are the steps, which are made anew for
/// the machine that loads them, options::machine and options::parallel, and the values of bound
/// operands. What goes wrong with the stream, it tells itself.
template <class T, class Arch>
void save_plan(std::ostream& out, const plan<T, Arch>& p) {
    static_assert(!saved_name<T>.empty(), "xeinsum: specialise saved_name for this element type");
    planning::saved_plan saved{std::string(saved_name<T>), p.key(), {}};
    if (p.found_path() != nullptr) {
        saved.path = *p.found_path();
    }
    const std::string body = planning::text_of(saved);
    const std::string text =
        parsing::join(detail::plan_file_start, detail::plan_file_version, '\n', body,
                      detail::plan_file_end, detail::checksum_text(body), '\n');
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
}

/// Makes a plan that was saved, without searching for a path. On the same machine it has the steps
/// of that which was saved; without an options::machine they are equal. Throws einsum_error:
/// malformed_plan where the stream holds no plan or a damaged one, plan_version or plan_element for
/// one that this program does not read, and what make_plan throws. The stream is read to the plan's
/// end, and somewhere into what is refused.
template <element T, class Arch = detail::default_arch>
[[nodiscard]] plan<T, Arch> load_plan(std::istream& in, const load_options& here = {}) {
    static_assert(!saved_name<T>.empty(), "xeinsum: specialise saved_name for this element type");
    const std::string body = detail::read_plan_file(in);
    const planning::saved_plan saved = planning::saved_plan_reader(body, 2).read();
    if (saved.element != saved_name<T>) {
        detail::refuse_plan_file(
            error_code::plan_element,
            parsing::join(parsing::printable(saved.element), ", and not ", saved_name<T>));
    }
    const plan_key& key = saved.key;
    options wanted = key.wanted();
    wanted.threads = here.threads > 0 ? here.threads : wanted.threads;
    wanted.machine = here.machine;
    std::vector<layout> operands(key.operands().begin(), key.operands().end());
    auto path = std::make_shared<const planning::path_record>(saved.path);
    equation eq = key.notation() == notation::integers
                      ? detail::integer_equation(key.equation())
                      : equation_argument(key.equation()).get(key.notation());
    std::shared_ptr<const planning::grouped_arrays> groups;
    if (key.notation() == notation::grouped) {
        groups = detail::group_arrays(eq, operands, detail::named_lengths(eq, key.lengths()));
    }
    return plan<T, Arch>(std::move(eq), std::move(operands), wanted, std::move(groups),
                         std::move(path));
}

}  // namespace xeinsum
