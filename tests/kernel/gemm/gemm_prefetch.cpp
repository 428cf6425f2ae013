#include <xeinsum/kernel/gemm/gemm_prefetch.hpp>

#include "../../support/instances.hpp"
#include "../../support/nest.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

using support::nest_row;
using xeinsum::kernel::blocking;
using xeinsum::kernel::gemm_blocks;
using xeinsum::kernel::gemm_groups;
using xeinsum::kernel::gemm_packing;
using xeinsum::kernel::gemm_prefetch;
using xeinsum::kernel::upcoming_lines;

namespace {

using arch = support::native_arch;
constexpr blocking cut = xeinsum::kernel::blocking_of<float, arch>;
constexpr std::size_t nr = cut.nv * xeinsum::kernel::simd<float, arch>::lanes;
constexpr auto beyond_l2 = xeinsum::kernel::beyond_l2_elements<float>;

/// "mk,kn->mn" of a batch, and what is prefetched in it.
struct product {
    product(const std::vector<nest_row>& batch_rows, const nest_row& m_row, const nest_row& n_row,
            const nest_row& k_row, const gemm_packing& packing)
        : batch(batch_rows),
          m({m_row}),
          n({n_row}),
          k({k_row}),
          blocks(groups(), packing, cut, nr, sizeof(float)),
          ahead(groups(), packing, blocks),
          lhs(static_cast<std::size_t>(span(1))),
          rhs(static_cast<std::size_t>(span(2))),
          scratch(blocks.memory().bytes() / sizeof(std::int64_t) + 1),
          buffers(blocks.memory(), reinterpret_cast<std::byte*>(scratch.data())) {}

    [[nodiscard]] gemm_groups groups() const {
        return {batch.loops(), m.loops(), n.loops(), k.loops()};
    }
    [[nodiscard]] std::int64_t span(std::size_t array) const {
        std::int64_t elements = 1;
        for (const auto* rows : {&batch, &m, &n, &k}) {
            elements += xeinsum::kernel::span_of(rows->loops(), array);
        }
        return elements;
    }
    upcoming_lines<float> after(std::int64_t row, const xeinsum::kernel::gemm_panel& panel,
                                const xeinsum::kernel::panel_requests& requests = {}) {
        return ahead.after(row, panel, requests, lhs.data(), rhs.data(), buffers);
    }

    support::nest_rows batch, m, n, k;
    gemm_blocks blocks;
    gemm_prefetch<float, arch> ahead;
    std::vector<float> lhs, rhs;
    std::vector<std::int64_t> scratch;
    xeinsum::kernel::gemm_buffers<float> buffers;
};

constexpr std::int64_t deep = 120;
constexpr std::int64_t many_rows = beyond_l2 / deep + 5;

/// An lhs of so many rows that is read where it lies, rows side by side.
product direct_lhs(std::int64_t rows, std::int64_t columns) {
    return {
        {}, {rows, columns, deep, 0}, {columns, 1, 0, 1}, {deep, 0, 1, columns}, {.lhs = false}};
}

}  // namespace

TEST_CASE("rows of a DRAM-resident lhs are prefetched by the steps of the tiles before them") {
    const product dram_lhs = direct_lhs(many_rows, nr);
    const auto requests = dram_lhs.ahead.requests(dram_lhs.blocks.panel(0, 0), {4, false, true});
    CHECK(requests.lhs_ahead == 4 * deep * sizeof(float));
    CHECK_FALSE(requests.rows);
    CHECK_FALSE(requests.next_rows);
    // a line for each step is less than so many rows
    CHECK(dram_lhs.ahead.requests(dram_lhs.blocks.panel(0, 0), {17, false, true}).lhs_ahead == 0);
    const product cached = direct_lhs(500, nr);
    CHECK(cached.ahead.requests(cached.blocks.panel(0, 0), {4, false, true}).lhs_ahead == 0);
}

TEST_CASE("nothing is prefetched that would push out what is read, or that is in panels") {
    const product dram_lhs = direct_lhs(many_rows, nr);
    const auto meeting = dram_lhs.ahead.requests(dram_lhs.blocks.panel(0, 0), {4, true, true});
    CHECK(meeting.lhs_ahead == 0);
    CHECK_FALSE(meeting.rows);
    const product packed({}, {many_rows, 7, deep, 0}, {7, 1, 0, 1}, {deep, 0, 1, 7}, {});
    CHECK(packed.ahead.requests(packed.blocks.panel(0, 0), {4, false, true}).lhs_ahead == 0);
}

TEST_CASE("the rows after a block's first tile come in while it passes along its columns") {
    product dram_lhs = direct_lhs(many_rows, 3 * nr);
    const auto panel = dram_lhs.blocks.panel(0, 0);
    const auto requests = dram_lhs.ahead.requests(panel, {cut.mr, false, true});
    CHECK(requests.lhs_ahead == 0);
    REQUIRE(requests.rows);
    const std::int64_t row = dram_lhs.blocks.block_rows();
    const auto lines = dram_lhs.after(row, panel, requests);
    CHECK(lines.from - dram_lhs.lhs.data() == (row + static_cast<std::int64_t>(cut.mr)) * deep);
    CHECK(lines.line == deep);
    CHECK(lines.count == dram_lhs.blocks.rows_at(row));
    CHECK(lines.bytes == deep * sizeof(float));
    // As many as are left behind the first tile of the last block.
    const std::int64_t last = (many_rows - 1) / row * row;
    CHECK(dram_lhs.after(last, panel, requests).count ==
          static_cast<std::size_t>(
              std::max<std::int64_t>(many_rows - last - static_cast<std::int64_t>(cut.mr), 0)));
}

TEST_CASE("the next block of rows comes in while tiles go down columns") {
    product dram_lhs = direct_lhs(many_rows, 3 * nr);
    const auto panel = dram_lhs.blocks.panel(0, 0);
    const auto requests = dram_lhs.ahead.requests(panel, {cut.mr, false, false});
    REQUIRE(requests.next_rows);
    const std::int64_t next = dram_lhs.blocks.block_rows();
    const auto lines = dram_lhs.after(0, panel, requests);
    CHECK(lines.from - dram_lhs.lhs.data() == next * deep);
    CHECK(lines.line == deep);
    CHECK(lines.count == dram_lhs.blocks.rows_at(next));
    CHECK(lines.bytes == deep * sizeof(float));
    CHECK(dram_lhs.after((many_rows - 1) / next * next, panel, requests).count == 0);
}

TEST_CASE("the block of lhs that is packed next comes in while one is multiplied") {
    product dram_lhs({}, {many_rows, 7, deep, 0}, {7, 1, 0, 1}, {deep, 0, 1, 7}, {});
    const auto panel = dram_lhs.blocks.panel(0, 0);
    const std::int64_t next = dram_lhs.blocks.block_rows();
    const auto lines = dram_lhs.after(0, panel);
    CHECK(lines.from == dram_lhs.lhs.data());
    CHECK(lines.count == dram_lhs.blocks.rows_at(next));
    REQUIRE(lines.lines != nullptr);
    CHECK(lines.lines[0] == next * deep);
    CHECK(lines.lines[1] == (next + 1) * deep);
    CHECK(lines.pieces.count == deep);
    product cached({}, {2 * cut.mc * cut.kc / deep, 7, deep, 0}, {7, 1, 0, 1}, {deep, 0, 1, 7}, {});
    REQUIRE(cached.blocks.rows() * deep < beyond_l2);
    CHECK(cached.after(0, cached.blocks.panel(0, 0)).count == 0);
}

TEST_CASE("the columns of rhs that are packed next come in with the first block of rows") {
    constexpr std::int64_t columns = beyond_l2 / deep + 3;
    product wide({}, {200, columns, deep, 0}, {columns, 1, 0, 1}, {deep, 0, 1, columns}, {});
    const std::int64_t next = wide.blocks.block_columns();
    const auto lines = wide.after(0, wide.blocks.panel(0, 0));
    CHECK(lines.from - wide.rhs.data() == next);
    CHECK(lines.line == columns);
    CHECK(lines.count == deep);
    CHECK(lines.bytes == wide.blocks.columns_at(next) * sizeof(float));
    const std::int64_t last = (columns - 1) / next * next;
    CHECK(wide.after(0, wide.blocks.panel(last, 0)).count == 0);
}

TEST_CASE("a small rhs of the next product comes in during one, if it is another one") {
    constexpr std::int64_t products = beyond_l2 / (16 * deep) + 2;
    product batched({{products, 50 * 16, 0, 16 * deep}}, {50, 16, deep, 0}, {16, 1, 0, 1},
                    {deep, 0, 1, 16}, {.rhs = false});
    const auto panel = batched.blocks.panel(0, 0);
    const float* const first = batched.rhs.data();
    batched.ahead.set_product(first, first + 16 * deep);
    const auto lines = batched.after(0, panel);
    CHECK(lines.from == first + 16 * deep);
    CHECK(lines.line == 16);
    CHECK(lines.count == deep);
    CHECK(lines.bytes == 16 * sizeof(float));
    batched.ahead.set_product(first, first);
    CHECK(batched.after(0, panel).count == 0);
    batched.ahead.set_product(first, nullptr);
    CHECK(batched.after(0, panel).count == 0);
}
