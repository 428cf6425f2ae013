#include <xeinsum/plan/workspace_layout.hpp>

#include <doctest/doctest.h>

#include <vector>

using xeinsum::array_id;
using data = xeinsum::basic_plan_data<xeinsum::plan_storage>;
using xeinsum::planning::align_up;
using xeinsum::planning::lay_out_workspace;

namespace {

/// Adds an intermediate of some elements that a step makes from the given arrays.
array_id make(data& d, std::int64_t elements, const std::vector<array_id>& from) {
    xeinsum::plan_array a;
    a.elements = elements;
    d.arrays.push_back(a);
    const auto id = static_cast<array_id>(d.arrays.size()) - 2;
    xeinsum::step s;
    s.output = id;
    s.inputs_begin = static_cast<std::uint32_t>(d.inputs.size());
    s.input_count = static_cast<std::uint32_t>(from.size());
    d.inputs.append(from.begin(), from.end());
    d.steps.push_back(s);
    return id;
}

std::size_t offset(const data& d, array_id id) {
    return d.view().array(id).offset;
}

}  // namespace

TEST_CASE("sizes are rounded up to cache lines") {
    CHECK(align_up(0) == 0);
    CHECK(align_up(1) == 64);
    CHECK(align_up(64) == 64);
    CHECK(align_up(65) == 128);
}

TEST_CASE("an intermediate may reuse the memory of what is not needed any more") {
    data d;
    d.operand_count = 1;
    d.arrays.resize(2);
    const array_id a = make(d, 16, {0});   // 64 bytes
    const array_id b = make(d, 100, {a});  // 400 bytes, made from a
    const array_id c = make(d, 16, {b});   // fits where a was
    d.steps[1].how.scratch_bytes = 100;
    lay_out_workspace(d, 4);
    CHECK(offset(d, a) == 0);
    CHECK(offset(d, b) == 64);
    CHECK(offset(d, c) == 0);
    CHECK(d.scratch_offset == 64 + 448);
    CHECK(d.workspace_bytes == 64 + 448 + 128);
}

TEST_CASE("arrays alive at the same time do not overlap") {
    data d;
    d.operand_count = 1;
    d.arrays.resize(2);
    const array_id a = make(d, 16, {0});
    const array_id b = make(d, 16, {0});
    const array_id c = make(d, 16, {b});  // a is alive: c cannot take its place
    const array_id e = make(d, 32, {a, c});
    lay_out_workspace(d, 4);
    CHECK(offset(d, a) == 0);
    CHECK(offset(d, b) == 64);
    CHECK(offset(d, c) == 128);
    CHECK(offset(d, e) == 192);
    CHECK(d.workspace_bytes == 320);
}

TEST_CASE("an intermediate beyond the address space is refused") {
    data d;
    d.operand_count = 1;
    d.arrays.resize(2);
    make(d, std::int64_t{1} << 61, {0});
    lay_out_workspace(d, 8);
    CHECK(d.error.code == xeinsum::error_code::extent_overflow);
}
