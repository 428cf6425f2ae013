// Orders of contraction as text, for programs that search for them elsewhere: "[[1, 2], [0, 1]]",
// as opt_einsum and cotengra write them, contracts b and c of "ij,jk,kl->il" first.
#pragma once

#include <xeinsum/equation/error.hpp>
#include <xeinsum/equation/join.hpp>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <numeric>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace xeinsum {

namespace detail {

/// Reads a list of lists of numbers.
class path_reader {
public:
    explicit path_reader(std::string_view text) : text_(text) {}

    [[nodiscard]] std::vector<std::pair<std::size_t, std::size_t>> pairs() {
        std::vector<std::pair<std::size_t, std::size_t>> out;
        list([&] {
            std::vector<std::size_t> terms;
            const std::size_t begin = at_;
            list([&] { terms.push_back(number()); });
            if (terms.size() != 2) {
                at_ = begin;
                refuse("each entry is a pair of numbers");
            }
            out.emplace_back(terms[0], terms[1]);
        });
        skip_blanks();
        if (at_ < text_.size()) {
            refuse("nothing follows the list");
        }
        return out;
    }

private:
    [[noreturn]] void refuse(std::string_view why) const {
        using parsing::join;
        refuse_call(error_code::malformed_path, at_ + 1,
                    join("xeinsum: a contraction path is written as [[0, 1], [0, 1]]: ", why,
                         ", column ", at_ + 1));
    }
    void skip_blanks() { at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size()); }
    /// Whether the next character is this one, which is then passed.
    [[nodiscard]] bool take(char c) {
        skip_blanks();
        const bool found = at_ < text_.size() && text_[at_] == c;
        at_ += found ? 1 : 0;
        return found;
    }
    /// Calls element() at each element; tuples of Python may end in a comma.
    template <class F>
    void list(F element) {
        const bool tuple = take('(');
        if (!tuple && !take('[')) {
            refuse("a list begins with '['");
        }
        const char end = tuple ? ')' : ']';
        while (!take(end)) {
            element();
            if (!take(',')) {
                if (!take(end)) {
                    refuse("elements are divided by ','");
                }
                return;
            }
        }
    }
    [[nodiscard]] std::size_t number() {
        skip_blanks();
        std::size_t n = 0;
        const char* const begin = text_.data() + at_;
        const auto [end, fault] = std::from_chars(begin, text_.data() + text_.size(), n);
        if (fault != std::errc{}) {
            refuse("terms are numbers from 0");
        }
        at_ += static_cast<std::size_t>(end - begin);
        return n;
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

}  // namespace detail

/// Pairs for options::path_pairs from JSON, [[0, 1], [0, 1]], or as Python prints them, [(0, 1),
/// (0, 1)]. Whether numbers are positions among the terms that are left (opt_einsum:
/// path_strategy::linear_pairs) or stay with their terms (cotengra's SSA paths:
/// path_strategy::numbered_pairs) the text does not tell. Throws einsum_error, malformed_path with
/// the column of the text, where it is no list of pairs; whether they contract every term once is
/// checked by the plan.
[[nodiscard]] inline std::vector<std::pair<std::size_t, std::size_t>> read_path_pairs(
    std::string_view text) {
    return detail::path_reader(text).pairs();
}

/// The path of a plan, as plan.path() gives it, in positions among the terms that are left, results
/// being put at the end: what opt_einsum and path_strategy::linear_pairs take. Throws einsum_error,
/// malformed_path, where an entry names a term that does not exist or was contracted before.
[[nodiscard]] inline std::vector<std::vector<std::size_t>> linear_path(
    const std::vector<std::vector<std::size_t>>& path, std::size_t operands) {
    std::vector<std::size_t> left(operands);
    std::iota(left.begin(), left.end(), std::size_t{0});
    std::vector<std::vector<std::size_t>> out;
    for (const std::vector<std::size_t>& terms : path) {
        std::vector<std::size_t> places;
        for (const std::size_t term : terms) {
            const auto place = std::find(left.begin(), left.end(), term);
            if (place == left.end()) {
                refuse_call(error_code::malformed_path, 0,
                            parsing::join("xeinsum: a contraction path contracts each term once, "
                                          "and term ",
                                          term, " of entry ", out.size(), " is not left"));
            }
            places.push_back(static_cast<std::size_t>(place - left.begin()));
        }
        std::sort(places.begin(), places.end());
        if (std::adjacent_find(places.begin(), places.end()) != places.end()) {
            refuse_call(error_code::malformed_path, 0,
                        parsing::join("xeinsum: entry ", out.size(),
                                      " of a contraction path names a term twice"));
        }
        for (std::size_t p = places.size(); p-- > 0;) {
            left.erase(left.begin() + static_cast<std::ptrdiff_t>(places[p]));
        }
        left.push_back(operands + out.size());
        out.push_back(std::move(places));
    }
    return out;
}

/// A path as JSON: [[1, 2], [0, 3]].
[[nodiscard]] inline std::string path_text(const std::vector<std::vector<std::size_t>>& path) {
    std::string out = "[";
    for (const std::vector<std::size_t>& terms : path) {
        out += out.size() > 1 ? ", [" : "[";
        for (std::size_t i = 0; i < terms.size(); ++i) {
            parsing::append(out, parsing::join(i > 0 ? ", " : "", terms[i]));
        }
        out += ']';
    }
    return out + "]";
}

}  // namespace xeinsum
