#include <xeinsum/call/grouped_call.hpp>

#include <doctest/doctest.h>

#include <span>
#include <string>
#include <vector>

using xeinsum::call_kind;
using xeinsum::error_code;
using xeinsum::heap_storage;
namespace detail = xeinsum::detail;
namespace parsing = xeinsum::parsing;
namespace planning = xeinsum::planning;

namespace {

using numbers = std::vector<std::int64_t>;

numbers list(std::span<const std::int64_t> from) {
    return {from.begin(), from.end()};
}

}  // namespace

TEST_CASE("operand and output are taken apart, the shape is put together") {
    const auto eq = xeinsum::parsing::parse_or_raise<heap_storage>(
        "b (h d) -> (d b) h 1", xeinsum::notation::grouped, call_kind::rearrange);
    const numbers extents{2, 15};
    const numbers strides{30, -2};
    const std::vector<xeinsum::layout_view> operands{{extents, strides}};
    const std::vector<std::size_t> ranks{2};
    const std::vector<parsing::length_view> lengths{{"h", 5}};
    const detail::grouped_call<heap_storage, heap_storage> call(
        eq, call_kind::rearrange, planning::group<heap_storage>(eq, ranks, call_kind::rearrange),
        operands, lengths);
    CHECK(list(call.shape()) == numbers{6, 5, 1});
    CHECK(list(call.layouts()[0].extents) == numbers{2, 5, 3});
    CHECK(list(call.layouts()[0].strides) == numbers{30, -6, -2});
    float memory[30]{};
    const numbers out{5, 1, 0};
    bool written = false;
    call.write(memory, out, [&](const detail::destination<float>& to) {
        written = true;
        CHECK(to.first == memory);
        CHECK(list(to.extents) == numbers{3, 2, 5});
        CHECK(list(to.strides) == numbers{10, 5, 1});
    });
    CHECK(written);
    const numbers shape{6, 5, 1};
    const numbers transposed{5, 6, 1};
    CHECK(call.check_output({shape, out}).ok());
    const auto p = call.check_output({transposed, out});
    CHECK(p.code == error_code::output_shape);
    CHECK(p.expected == 6);
    CHECK(p.found == 5);
}

TEST_CASE("a clash names the axes of the arrays, not those of the network") {
    const auto eq = xeinsum::parsing::parse_or_raise<heap_storage>(
        "(a b) c, c -> a b", xeinsum::notation::grouped, call_kind::einsum);
    const numbers first{6, 4};
    const numbers second{5};
    const numbers strides{4, 1};
    const numbers one{1};
    const std::vector<xeinsum::layout_view> operands{{first, strides}, {second, one}};
    const std::vector<std::size_t> ranks{2, 1};
    const std::vector<parsing::length_view> lengths{{"a", 2}};
    std::string text;
    try {
        const detail::grouped_call<heap_storage, heap_storage> call(
            eq, call_kind::einsum, planning::group<heap_storage>(eq, ranks, call_kind::einsum),
            operands, lengths);
    } catch (const xeinsum::einsum_error& e) {
        CHECK(e.code() == error_code::extent_mismatch);
        CHECK(e.column() == 10);
        text = e.what();
    }
    CHECK(text.find("operand 0 has extent 4 on axis 1, operand 1 has extent 5 on axis 0") !=
          std::string::npos);
}
