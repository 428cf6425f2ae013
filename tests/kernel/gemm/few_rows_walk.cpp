#include <xeinsum/kernel/gemm/few_rows_walk.hpp>

#include "../../support/nest.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

using xeinsum::kernel::few_rows_walk;
using xeinsum::kernel::few_rows_walk_bytes;
using xeinsum::kernel::line_offsets;
using xeinsum::kernel::scaling;

namespace {

/// A block as it is packed or multiplied, in elements of its array; packed ones have no out.
struct step {
    std::ptrdiff_t from = 0;
    std::size_t depth = 0;
    std::ptrdiff_t after = -1;
    std::ptrdiff_t out = -1;
    bool adds = false;
    friend bool operator==(const step&, const step&) = default;
};

/// What happens to "bik,bkj->bij" of 2 products, 3 rows and a depth of 10, whose lhs has strides
/// lhs_batch, 20 and 2, rhs 100, 8 and 1, out 50 and 5, in blocks of so much depth.
std::vector<step> steps(std::int64_t lhs_batch, std::size_t deep) {
    const support::nest_rows batch({{2, 50, lhs_batch, 100}});
    const support::nest_rows rows({{3, 5, 20, 0}});
    const support::nest_rows columns({{4, 1, 0, 1}});
    const support::nest_rows depth({{10, 0, 2, 8}});
    const std::vector<float> lhs(1000), rhs(1000);
    std::vector<float> out(1000);
    std::vector<std::int64_t> numbers(few_rows_walk_bytes(3, deep) / sizeof(std::int64_t));
    few_rows_walk<float> walk({batch.loops(), rows.loops(), columns.loops(), depth.loops()},
                              scaling<float>(), deep, numbers.data());
    CHECK(walk.rows() == 3);
    CHECK(walk.out_rows()[2] == 10);
    std::vector<step> taken;
    struct {
        const float* lhs;
        const float* rhs;
        float* out;
        std::vector<step>& taken;
        void pack(const float* from, const line_offsets& lines, const line_offsets& depths) {
            CHECK(lines.count == 3);
            CHECK(lines[2] == 40);
            CHECK(depths[1] - depths[0] == 2);
            taken.push_back({from - lhs + depths[0], depths.count});
        }
        void multiply(const few_rows_walk<float>::block& at) {
            taken.push_back(
                {at.rhs - rhs, at.depth, at.after - rhs, at.out - out, at.scale.adds()});
        }
    } tiles{lhs.data(), rhs.data(), out.data(), taken};
    walk.run(lhs.data(), rhs.data(), out.data(), tiles);
    return taken;
}

}  // namespace

TEST_CASE(
    "each block of the depth is packed and multiplied, the first one as the result is scaled") {
    CHECK(steps(200, 6) == std::vector<step>{{0, 6},
                                             {0, 6, 48, 0, false},
                                             {12, 4},
                                             {48, 4, 100, 0, true},
                                             {200, 6},
                                             {100, 6, 148, 50, false},
                                             {212, 4},
                                             {148, 4, 180, 50, true}});
}

TEST_CASE("what is packed already is not packed again") {
    CHECK(steps(200, 10) ==
          std::vector<step>{{0, 10}, {0, 10, 100, 0, false}, {200, 10}, {100, 10, 180, 50, false}});
    CHECK(steps(0, 10) ==
          std::vector<step>{{0, 10}, {0, 10, 100, 0, false}, {100, 10, 180, 50, false}});
    // blocks of one lhs take each other's place
    CHECK(steps(0, 6).size() == 8);
}
