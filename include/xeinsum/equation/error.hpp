// What can be wrong with a call, as data for the compiler and as an exception at run time:
// "ij,jk->il" is unknown_output_label at column 9 in both.
#pragma once

#include <xeinsum/equation/list_view.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>

namespace xeinsum {

/// Why an equation or a call is refused.
enum class error_code : unsigned char {
    none,
    // the text alone
    bad_character,
    bad_axis_name,
    unsupported_axis,
    malformed_arrow,
    too_many_arrows,
    missing_arrow,
    malformed_ellipsis,
    two_ellipses,
    comma_in_output,
    unknown_output_label,
    repeated_output_label,
    label_out_of_range,
    unbalanced_parenthesis,
    nested_parenthesis,
    grouped_ellipsis,
    bad_extent,
    comma_in_pattern,
    repeated_axis,
    lost_axis,
    // the lengths of axes that a call gives
    unknown_axis,
    repeated_length,
    missing_length,
    length_mismatch,
    not_divisible,
    // the equation against its operands
    no_operand,
    operand_count,
    rank_mismatch,
    extent_mismatch,
    diagonal_mismatch,
    ellipsis_mismatch,
    // the output array, the options, the workspace
    bad_layout,
    layout_overflow,
    operand_shape,
    operand_not_open,
    output_shape,
    output_overlaps_itself,
    scale_not_held,
    bad_option,
    lowering_not_applicable,
    path_not_available,
    malformed_path,
    memory_limit,
    extent_overflow,
    workspace_too_small,
    no_such_slice,
    // the reduction
    unknown_reduction,
    reduction_not_applicable,
    nothing_to_reduce,
    // the target of emit
    not_emittable,
    // a saved plan
    malformed_plan,
    plan_version,
    plan_element,
    // the environment
    unknown_cpu,
};

/// One sentence on an error code, without the particulars of a call.
[[nodiscard]] constexpr std::string_view describe(error_code code) noexcept {
    switch (code) {
        case error_code::none: return "no error";
        case error_code::bad_character: return "a character that no equation holds";
        case error_code::bad_axis_name:
            return "an axis name is a letter followed by letters, digits and underscores";
        case error_code::unsupported_axis:
            return "a group, or an axis spelled as its extent, needs the length of some axis "
                   "behind the operands, as axis<\"h\">(12) or axis(\"h\", 12)";
        case error_code::malformed_arrow: return "'-' and '>' may only appear as one '->'";
        case error_code::too_many_arrows: return "more than one '->'";
        case error_code::missing_arrow: return "an equation with axis names needs a '->'";
        case error_code::malformed_ellipsis:
            return "'.' may only appear as '...', a word of its own";
        case error_code::two_ellipses: return "two '...' in one term";
        case error_code::comma_in_output: return "the output is one term and holds no comma";
        case error_code::unknown_output_label: return "an output label that no input term has";
        case error_code::repeated_output_label: return "an output label is repeated";
        case error_code::label_out_of_range: return "an integer label exceeds 63 bits";
        case error_code::unbalanced_parenthesis: return "a parenthesis lacks its other half";
        case error_code::nested_parenthesis: return "a group holds no other group";
        case error_code::grouped_ellipsis:
            return "a group of an operand cannot hold '...', which may be any number of axes";
        case error_code::bad_extent: return "an extent is not negative, nor spelled as 0";
        case error_code::comma_in_pattern:
            return "rearrange, reduce and repeat have one operand and no comma";
        case error_code::repeated_axis: return "an axis is repeated within the operand";
        case error_code::lost_axis:
            return "an axis that the result lacks; rearrange and repeat keep all axes";
        case error_code::unknown_axis: return "a length is given for an axis that does not occur";
        case error_code::repeated_length: return "two lengths are given for one axis";
        case error_code::missing_length: return "nothing tells the length of an axis";
        case error_code::length_mismatch: return "an axis has another extent than was said";
        case error_code::not_divisible:
            return "an extent is not the product of the axes in its group";
        case error_code::no_operand: return "there is no operand";
        case error_code::operand_count: return "the numbers of terms and operands differ";
        case error_code::rank_mismatch: return "an operand's rank does not fit its term";
        case error_code::extent_mismatch: return "one label has two extents, neither of them 1";
        case error_code::diagonal_mismatch:
            return "a label repeated within one term needs equal extents";
        case error_code::ellipsis_mismatch: return "axes under '...' do not broadcast";
        case error_code::bad_layout: return "a layout has a stride for each extent";
        case error_code::layout_overflow: return "elements lie 2^62 or more apart";
        case error_code::operand_shape: return "an operand has another shape than planned";
        case error_code::operand_not_open: return "an operand that cannot be bound";
        case error_code::output_shape: return "the output array has another shape than the result";
        case error_code::output_overlaps_itself:
            return "two indices of the output array name the same element";
        case error_code::scale_not_held:
            return "the type in which elements are summed cannot hold a scale";
        case error_code::bad_option: return "an option has a value that it cannot have";
        case error_code::lowering_not_applicable:
            return "the lowering asked for cannot express this equation";
        case error_code::path_not_available:
            return "the contraction path asked for is not available for this many operands";
        case error_code::malformed_path:
            return "the contraction path given does not contract every term once";
        case error_code::memory_limit: return "no contraction path stays within the memory limit";
        case error_code::extent_overflow:
            return "an extent is negative, or it or a product of extents exceeds 63 bits";
        case error_code::workspace_too_small: return "the workspace is too small";
        case error_code::no_such_slice: return "a slice that the plan does not have";
        case error_code::unknown_reduction: return "a reduction is sum, mean, min, max or prod";
        case error_code::reduction_not_applicable:
            return "the reduction has no meaning for elements of this type";
        case error_code::nothing_to_reduce: return "nothing has no mean, no minimum and no maximum";
        case error_code::not_emittable: return "the plan cannot be written for this target";
        case error_code::malformed_plan: return "a saved plan is damaged, or is none";
        case error_code::plan_version: return "a saved plan has a format of another version";
        case error_code::plan_element: return "a saved plan is for elements of another type";
        case error_code::unknown_cpu:
            return "XEINSUM_CPU names a level of instructions that the library lacks";
    }
    return "unknown error";
}

/// What is wrong and where; code none means nothing is.
struct problem {
    static constexpr std::size_t nowhere = static_cast<std::size_t>(-1);

    /// One axis of one array; array counts the operands from 0.
    struct axis_place {
        std::size_t array = nowhere;
        std::size_t axis = nowhere;
        std::int64_t extent = -1;
    };

    error_code code = error_code::none;
    std::size_t column =
        0;  ///< of the equation's text, in bytes, from 1; 0 where no place is to blame
    std::size_t length = 0;      ///< bytes to blame from column on
    axis_place first{};          ///< the axis or rank that was expected
    axis_place second{};         ///< the one that does not fit
    std::int64_t expected = -1;  ///< a count: operands, rank, bytes
    std::int64_t found = -1;
    const char* reason = nullptr;  ///< a lowering's own words, the name of an option
    /// Of an array that has another shape than it should; both outlive the problem.
    list_view<const std::int64_t> shape{};
    list_view<const std::int64_t> expected_shape{};

    [[nodiscard]] constexpr bool ok() const noexcept { return code == error_code::none; }
};

/// A refused call. what() quotes the equation with a caret under the column and names label,
/// operand, axis and extents where they matter.
class einsum_error : public std::invalid_argument {
public:
    /// As what() is to say; the library makes them.
    einsum_error(error_code code, std::size_t column, const std::string& message)
        : std::invalid_argument(message), code_(code), column_(column) {}

    /// Why the call was refused.
    [[nodiscard]] error_code code() const noexcept { return code_; }

    /// Position in the equation's text, in bytes, counted from 1; 0 where no place is to blame.
    [[nodiscard]] std::size_t column() const noexcept { return column_; }

private:
    error_code code_;
    std::size_t column_;
};

/// Is told what einsum_error would hold; see set_error_handler.
using error_handler = void (*)(error_code code, std::size_t column, const char* message);

namespace detail {

/// The end of a refused call. A template, as a program may have it in a library, and then has it
/// once.
template <class Code>
struct refusal {
    static std::atomic<error_handler> handler;

    [[noreturn]] static void raise(Code code, std::size_t column, const std::string& message) {
        if (const error_handler own = handler.load()) {
            own(code, column, message.c_str());
        }
#ifdef __cpp_exceptions
        throw einsum_error(code, column, message);
#else
        std::fprintf(stderr, "%s\n", message.c_str());
        std::abort();
#endif
    }
};
template <class Code>
std::atomic<error_handler> refusal<Code>::handler{nullptr};

}  // namespace detail

/// From now on, whatever the thread, a refused call calls the handler before it throws
/// einsum_error; null for none. For programs without exceptions, and for those with exceptions of
/// their own: a handler need not return. Where it does, a program that is compiled without
/// exceptions ends, with the message as its last words. Returns the handler before it.
inline error_handler set_error_handler(error_handler handler) noexcept {
    return detail::refusal<error_code>::handler.exchange(handler);
}

/// Throws einsum_error, unless a handler does otherwise.
[[noreturn]] inline void refuse_call(error_code code, std::size_t column,
                                     const std::string& message) {
    detail::refusal<error_code>::raise(code, column, message);
}

}  // namespace xeinsum
