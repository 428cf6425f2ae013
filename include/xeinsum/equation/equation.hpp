// An equation as data: "ij,jk->ik" is the input terms (0 1) (1 2), the output term (0 2) and the
// label names i, j, k.
#pragma once

#include <xeinsum/equation/classify.hpp>
#include <xeinsum/equation/list_view.hpp>
#include <xeinsum/equation/storage.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <type_traits>
#include <vector>

namespace xeinsum {

/// How labels are spelled.
enum class notation : unsigned char {
    automatic,  ///< names when a term holds two words apart or a word has '_' or a digit
    letters,    ///< one character, one label: "ij,jk->ik"
    names,      ///< identifiers separated by blanks: "b l d_in, d_in n -> b l d_in n"
    integers,   ///< made by equation::from_labels
    grouped,    ///< names with groups: "b n (h d), b m (h d) -> b h n m"
};

/// What a text is read for; the four calls differ in what a result may lack or add.
enum class call_kind : unsigned char {
    einsum,     ///< sums what the output lacks
    rearrange,  ///< keeps every axis
    reduce,     ///< drops axes
    repeat,     ///< adds axes
};

/// A label of one equation: a position in its table of names, from 0 in order of first use.
using label = std::int32_t;

/// Stands for "..." among the labels of a term.
inline constexpr label ellipsis_label = -1;

/// Stands for "..." among integer labels given to equation::from_labels.
inline constexpr std::int64_t ellipsis = std::numeric_limits<std::int64_t>::min();

namespace parsing {

template <class>
inline constexpr bool holds_integers = false;
template <std::integral I>
inline constexpr bool holds_integers<std::vector<I>> =
    !std::is_same_v<I, bool> && sizeof(I) <= sizeof(std::int64_t);

/// std::vector of integers of any type.
template <class V>
concept integer_vector = holds_integers<V>;

template <class>
inline constexpr bool holds_optional_integers = false;
template <integer_vector V>
inline constexpr bool holds_optional_integers<std::optional<V>> = true;

/// Such a vector, or an optional one.
template <class V>
concept integer_output = integer_vector<V> || holds_optional_integers<V>;

}  // namespace parsing

/// A label, or "...", where it stands in a term.
struct label_use {
    label id = 0;
    std::uint32_t column = 0;  ///< in bytes, from 1
    std::uint32_t length = 0;
};

/// Labels side by side that stand for one axis, their product: "(h d)" has two, "()" and "1" none.
struct label_group {
    static constexpr std::uint32_t in_output = std::numeric_limits<std::uint32_t>::max();

    std::uint32_t term = 0;   ///< an input term's number, or in_output
    std::uint32_t first = 0;  ///< the first label, counted within the term
    std::uint32_t count = 0;
    std::uint32_t column = 0;
    std::uint32_t length = 0;
};

/// A label's spelling: where it stands first, and its number among integer labels. In grouped
/// notation the number is the extent of a label that is spelled as its extent, else 0.
struct label_name {
    std::int64_t number = 0;
    std::uint32_t column = 0;
    std::uint32_t length = 0;
};

/// Some labels of an equation with their spelling: letters side by side, others apart by blanks.
template <class Storage>
class basic_label_list {
public:
    /// The number of labels.
    [[nodiscard]] constexpr std::size_t size() const noexcept { return ids_.size(); }
    /// Whether there is none.
    [[nodiscard]] constexpr bool empty() const noexcept { return ids_.empty(); }
    /// Label i, counted from 0.
    [[nodiscard]] constexpr label operator[](std::size_t i) const noexcept { return ids_[i]; }
    /// The first label.
    [[nodiscard]] constexpr const label* begin() const noexcept { return ids_.data(); }
    /// Behind the last label.
    [[nodiscard]] constexpr const label* end() const noexcept { return begin() + size(); }
    /// The labels as they are spelled.
    [[nodiscard]] constexpr std::string_view text() const noexcept {
        return {text_.data(), text_.size()};
    }
    /// Whether a label is among them.
    [[nodiscard]] constexpr bool contains(label id) const noexcept {
        for (const label i : *this) {
            if (i == id) {
                return true;
            }
        }
        return false;
    }
    /// Whether the labels are spelled so: classes.batch == "b".
    [[nodiscard]] friend constexpr bool operator==(const basic_label_list& list,
                                                   std::string_view text) noexcept {
        return list.text() == text;
    }

    /// Adds a label; apart puts a blank before it.
    constexpr void add(label id, std::string_view spelling, bool apart) {
        if (apart && !ids_.empty()) {
            text_.push_back(' ');
        }
        ids_.push_back(id);
        for (const char c : spelling) {
            text_.push_back(c);
        }
    }

private:
    typename Storage::template list<label> ids_{};
    typename Storage::template list<char> text_{};
};

/// The labels of a pair of terms by class, each list in order of first use.
template <class Storage>
struct basic_index_classes {
    /// In lhs, rhs and the result.
    basic_label_list<Storage> batch{};
    /// In lhs and the result.
    basic_label_list<Storage> lhs_free{};
    /// In rhs and the result.
    basic_label_list<Storage> rhs_free{};
    /// In lhs and rhs, summed.
    basic_label_list<Storage> contracted{};
    /// In lhs alone, summed.
    basic_label_list<Storage> lhs_only{};
    /// In rhs alone, summed.
    basic_label_list<Storage> rhs_only{};

    /// The labels of a class.
    [[nodiscard]] constexpr basic_label_list<Storage>& operator[](index_class c) noexcept {
        switch (c) {
            case index_class::batch: return batch;
            case index_class::lhs_free: return lhs_free;
            case index_class::rhs_free: return rhs_free;
            case index_class::contracted: return contracted;
            case index_class::lhs_only: return lhs_only;
            case index_class::rhs_only: break;
        }
        return rhs_only;
    }
};

template <class Storage>
class equation_builder;

/// A parsed equation: input terms, output term and label names, without extents or element types.
/// Made by parse() or, with integer labels, by equation::from_labels.
template <class Storage>
class basic_equation {
public:
    constexpr basic_equation() = default;

    /// The same equation from another storage; how a constexpr equation enters a run-time call.
    template <class Other>
    constexpr explicit(false) basic_equation(const basic_equation<Other>& other)
        : notation_(other.notation_),
          explicit_output_(other.explicit_output_),
          guessed_(other.guessed_) {
        copy(other.text_, text_);
        copy(other.uses_, uses_);
        copy(other.ends_, ends_);
        copy(other.output_, output_);
        copy(other.names_, names_);
        copy(other.groups_, groups_);
    }

    /// Numpy's second calling form: terms of integer labels, ascending in an implicit output;
    /// xeinsum::ellipsis stands for "...". Lists in braces, {{0, 1}, {1, 2}}, or vectors of any
    /// integer type. Throws einsum_error, label_out_of_range for what 64 bits with a sign cannot
    /// hold.
    [[nodiscard]] static basic_equation from_labels(
        const std::vector<std::vector<std::int64_t>>& terms,
        const std::optional<std::vector<std::int64_t>>& output = std::nullopt) {
        return from_any_labels(terms, output);
    }
    /// The same with an implicit output.
    template <parsing::integer_vector Term>
    [[nodiscard]] static basic_equation from_labels(const std::vector<Term>& terms) {
        return from_any_labels(terms, std::optional<Term>());
    }
    /// The same with an output.
    template <parsing::integer_vector Term, parsing::integer_output Output>
    [[nodiscard]] static basic_equation from_labels(const std::vector<Term>& terms,
                                                    const Output& output) {
        return from_any_labels(terms, std::optional(output));
    }
    // One in braces, the other not.
    /// The same with terms in braces.
    template <parsing::integer_output Output>
    [[nodiscard]] static basic_equation from_labels(
        const std::vector<std::vector<std::int64_t>>& terms, const Output& output) {
        return from_any_labels(terms, std::optional(output));
    }
    /// The same with the output in braces.
    template <parsing::integer_vector Term>
    [[nodiscard]] static basic_equation from_labels(
        const std::vector<Term>& terms, const std::optional<std::vector<std::int64_t>>& output) {
        return from_any_labels(terms, output);
    }

    /// The text it was read from; integer labels are written "[0,1],[1,...]->[0,...]".
    [[nodiscard]] constexpr std::string_view text() const noexcept {
        return {text_.data(), text_.size()};
    }
    /// The notation that its text was read in.
    [[nodiscard]] constexpr xeinsum::notation notation() const noexcept { return notation_; }
    /// Whether notation() was chosen by notation::automatic.
    [[nodiscard]] constexpr bool notation_was_guessed() const noexcept { return guessed_; }
    /// Whether the text has a "->".
    [[nodiscard]] constexpr bool has_explicit_output() const noexcept { return explicit_output_; }

    /// The number of input terms.
    [[nodiscard]] constexpr std::size_t term_count() const noexcept { return ends_.size(); }
    /// The labels of input term t in order, "..." as ellipsis_label.
    [[nodiscard]] constexpr list_view<const label_use> term(std::size_t t) const noexcept {
        const std::size_t begin = t == 0 ? 0 : ends_[t - 1];
        return {uses_.data() + begin, ends_[t] - begin};
    }
    /// The labels of the output, given or derived.
    [[nodiscard]] constexpr list_view<const label_use> output() const noexcept {
        return {output_.data(), output_.size()};
    }

    /// The number of different labels.
    [[nodiscard]] constexpr std::size_t label_count() const noexcept { return names_.size(); }
    /// A label as it is spelled.
    [[nodiscard]] constexpr std::string_view name(label id) const noexcept {
        if (id == ellipsis_label) {
            return "...";
        }
        const label_name& n = names_[static_cast<std::size_t>(id)];
        return text().substr(n.column - 1, n.length);
    }

    /// The extent that a label is spelled as, such as the 2 of "(a 2)"; 0 for any other.
    [[nodiscard]] constexpr std::int64_t spelled_extent(label id) const noexcept {
        return notation_ == xeinsum::notation::grouped ? names_[static_cast<std::size_t>(id)].number
                                                       : 0;
    }
    /// The groups of all terms, in the order of the text.
    [[nodiscard]] constexpr list_view<const label_group> groups() const noexcept {
        return {groups_.data(), groups_.size()};
    }

    /// The classes of the labels of input terms lhs and rhs when these two are contracted; what the
    /// output or another term holds survives.
    [[nodiscard]] constexpr basic_index_classes<Storage> classify(std::size_t lhs,
                                                                  std::size_t rhs) const {
        basic_index_classes<Storage> classes;
        classify_term(classes, lhs, lhs, rhs);
        classify_term(classes, rhs, lhs, rhs);
        return classes;
    }

private:
    template <class>
    friend class basic_equation;
    friend class equation_builder<Storage>;

    template <class Term, class Output>
    [[nodiscard]] static basic_equation from_any_labels(const std::vector<Term>& terms,
                                                        const std::optional<Output>& output);

    template <class From, class To>
    static constexpr void copy(const From& from, To& to) {
        for (const auto& item : from) {
            to.push_back(item);
        }
    }

    [[nodiscard]] static constexpr bool holds(list_view<const label_use> term, label id) noexcept {
        for (const label_use& use : term) {
            if (use.id == id) {
                return true;
            }
        }
        return false;
    }

    constexpr void classify_term(basic_index_classes<Storage>& classes, std::size_t t,
                                 std::size_t lhs, std::size_t rhs) const {
        for (const label_use& use : term(t)) {
            bool survives = holds(output(), use.id);
            for (std::size_t other = 0; other < term_count() && !survives; ++other) {
                survives = other != lhs && other != rhs && holds(term(other), use.id);
            }
            auto& list = classes[xeinsum::classify(holds(term(lhs), use.id),
                                                   holds(term(rhs), use.id), survives)];
            if (!list.contains(use.id)) {
                list.add(use.id, name(use.id), notation_ != xeinsum::notation::letters);
            }
        }
    }

    typename Storage::template list<char> text_{};
    typename Storage::template list<label_use> uses_{};  // all input terms, one after the other
    typename Storage::template list<std::size_t> ends_{};
    typename Storage::template list<label_use> output_{};
    typename Storage::template list<label_name> names_{};
    typename Storage::template list<label_group> groups_{};
    xeinsum::notation notation_ = xeinsum::notation::letters;
    bool explicit_output_ = false;
    bool guessed_ = false;
};

/// An equation of any size, for run-time calls.
using equation = basic_equation<heap_storage>;

}  // namespace xeinsum
