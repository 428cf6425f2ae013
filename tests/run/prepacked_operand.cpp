#include <xeinsum/run/prepacked_operand.hpp>

#include "../support/aligned_bytes.hpp"
#include "../support/instances.hpp"
#include "../support/nest.hpp"
#include "../support/shared_kernels.hpp"
#include "../support/table_of.hpp"

#include <xeinsum/lowering/element_target.hpp>
#include <xeinsum/lowering/gemm/decide.hpp>
#include <xeinsum/lowering/gemm/run.hpp>
#include <xeinsum/run/pieces.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

using namespace xeinsum;
using support::built_table;

namespace {

struct shapes {
    const char* equation;
    std::vector<std::vector<std::int64_t>> operands;
};

std::size_t count(const std::vector<std::int64_t>& shape) {
    std::int64_t n = 1;
    for (const std::int64_t e : shape) {
        n *= e;
    }
    return static_cast<std::size_t>(n);
}

/// Runs a product of two operands, one of them, counted from 1, kept, cut as said.
template <class T>
void check(const shapes& s, std::size_t constant, const work_split& split, unsigned cuts) {
    CAPTURE(s.equation);
    CAPTURE(constant);
    built_table t(s.equation, s.operands);
    mode_table& table = t.get();
    std::vector<support::nest_row> free, sums;
    for (std::size_t m = 0; m < table.size(); ++m) {
        (table.survives(m) ? free : sums)
            .push_back(
                {table.extent(m), table.stride(m, 0), table.stride(m, 1), table.stride(m, 2)});
    }
    const support::nest_rows output(free), contracted(sums);
    const auto a = support::small_numbers<T>(count(s.operands[0])),
               b = support::small_numbers<T>(count(s.operands[1]), 5);
    std::vector<T> expected =
        support::small_numbers<T>(static_cast<std::size_t>(table.elements(0)), 9);
    std::vector<T> out = expected;
    const auto target = lowerings::target_of<T, support::native_arch>();
    recipe how = lowerings::gemm::build(table, target, constant);
    REQUIRE(how.prepacked_input == (how.swapped ? 3 - constant : constant));
    how.split = split;
    how.split.partial_bytes =
        split.between_terms ? split.pieces() * planning::align_up(out.size() * sizeof(T)) : 0;
    support::aligned_bytes memory(how.memory_bytes());
    const lowerings::prepacked_operand<T, support::native_arch> kept(how, table, memory.data());
    CHECK(how.kept_cuts == cuts);
    std::vector<T> panels(kept.elements());
    kept.pack(constant == 1 ? a.data() : b.data(), panels.data());
    const T* from[]{constant == 1 ? panels.data() : a.data(),
                    constant == 2 ? panels.data() : b.data()};
    const kernel::scaling<T> scale(T(2), T(1));
    support::evaluate_nest<T>({output.loops(), contracted.loops(), 2}, {a.data(), b.data()},
                              expected.data(), T(2), T(1));
    const auto run = [](const recipe& r, const kernel::loops& rows, std::size_t inputs,
                        const T* const* in, T* to, const kernel::scaling<T>& by,
                        std::byte* scratch) {
        lowerings::run_lowering<T, support::native_arch, kernel::all_steps>(
            lowerings::gemm(), r, rows, inputs, in, to, by, scratch);
    };
    lowerings::piecewise_run<T, support::native_arch>(run, how,
                                                      {table.row(0), table.pitch(), table.size()},
                                                      2, from, out.data(), scale, memory.data())
        .run({});
    CHECK(out == expected);
}

const shapes square{"ij,jk->ik", {{70, 90}, {90, 110}}};
const shapes batched{"bij,bjk->bik", {{3, 70, 90}, {3, 90, 100}}};
const shapes scattered{"aib,bja->ij", {{17, 40, 19}, {19, 50, 17}}};

}  // namespace

TEST_CASE_TEMPLATE("either operand is kept in panels, whole", T, float, double) {
    for (const shapes& s : {square, batched, scattered}) {
        check<T>(s, 1, {}, 0);
        check<T>(s, 2, {}, 0);
    }
    check<T>({"ij,jk->ki", {{100, 90}, {90, 110}}}, 1, {}, 0);
    check<T>({"ij,jk->ki", {{100, 90}, {90, 110}}}, 2, {}, 0);
}

TEST_CASE("kept panels are laid out by the pieces that cut them, and only by these") {
    const auto cut = [](unsigned char row, std::uint32_t pieces, std::int64_t unit) {
        return mode_cut{row, pieces, unit};
    };
    // rows i 70, k 110, j 90
    const work_split rows{.cuts = {cut(0, 3, 6), {}}, .workers = 3};
    const work_split columns{.cuts = {cut(1, 2, 16), {}}, .workers = 2};
    const work_split both{.cuts = {cut(0, 3, 6), cut(1, 2, 16)}, .workers = 6};
    const work_split terms{.cuts = {cut(2, 3, 16), {}}, .between_terms = true, .workers = 1};
    check<double>(square, 1, rows, 1);
    check<double>(square, 2, rows, 0);
    check<double>(square, 1, columns, 0);
    check<double>(square, 2, columns, 1);
    check<double>(square, 1, both, 1);
    check<double>(square, 2, both, 2);
    check<double>(square, 1, terms, 1);
    check<double>(square, 2, terms, 1);
    // rows b 3, i 70, k 100, j 90
    const work_split products{.cuts = {cut(0, 3, 1), {}}, .workers = 3};
    const work_split mixed{.cuts = {cut(0, 2, 1), cut(2, 3, 16)}, .workers = 6};
    check<double>(batched, 1, products, 0);
    check<double>(batched, 2, products, 0);
    check<double>(batched, 1, mixed, 0);
    check<double>(batched, 2, mixed, 2);
}
