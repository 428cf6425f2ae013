// What a call accepts as its equation: the text "ij,jk->ik", or an equation that is parsed already.
#pragma once

#include <xeinsum/equation/equation.hpp>
#include <xeinsum/equation/parser.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace xeinsum {

/// Text, read in the notation that the call's options name, or a parsed equation.
class equation_argument {
public:
    // Implicit, so that einsum("ij,jk->ik", a, b) and einsum(parsed, a, b) are one function.
    // NOLINTBEGIN(google-explicit-constructor)
    /// Text, which must outlive this.
    equation_argument(const char* text) : text_(text) {}
    /// Text, which must outlive this.
    equation_argument(std::string_view text) : text_(text) {}
    /// Text, which must outlive this.
    equation_argument(const std::string& text) : text_(text) {}
    /// A copy of a parsed equation.
    template <class Storage>
    equation_argument(const basic_equation<Storage>& eq) : parsed_(eq) {}
    // NOLINTEND(google-explicit-constructor)

    /// The equation itself. Throws einsum_error.
    template <class Storage = heap_storage>
    [[nodiscard]] basic_equation<Storage> get(
        xeinsum::notation n = xeinsum::notation::automatic) const {
        return parsed_ ? basic_equation<Storage>(*parsed_) : parse<Storage>(text_, n);
    }

    /// The text as it was given, or that of the parsed equation.
    [[nodiscard]] std::string_view text() const noexcept {
        return parsed_ ? parsed_->text() : text_;
    }
    /// How get(n) reads the text.
    [[nodiscard]] xeinsum::notation notation(xeinsum::notation n) const noexcept {
        return parsed_ ? parsed_->notation() : n;
    }

private:
    std::string_view text_{};
    std::optional<equation> parsed_{};
};

}  // namespace xeinsum
