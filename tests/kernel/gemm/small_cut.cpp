#include <xeinsum/kernel/gemm/small_cut.hpp>

#include "../../support/instances.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

using xeinsum::kernel::for_each_width;
using xeinsum::kernel::simd;
using xeinsum::kernel::small_columns;
using xeinsum::kernel::small_heights;
using xeinsum::kernel::small_narrower_t;

TEST_CASE("tiles are as high as may be, or two low ones, and cover all rows") {
    for (const std::size_t limit : {1U, 6U, 8U, 16U}) {
        for (std::int64_t rows = 1; rows <= 70; ++rows) {
            CAPTURE(rows);
            const small_heights t = small_heights::of(rows, limit);
            CHECK(t.height * t.count + t.last == rows);
            CHECK(t.height <= static_cast<std::int64_t>(limit));
            CHECK(t.last < t.height);
        }
    }
    CHECK(small_heights::of(20, 16).height == 16);
    CHECK(small_heights::of(17, 8).height == 8);
    CHECK(small_heights::of(17, 8).last == 1);
    CHECK(small_heights::of(8, 6).height == 4);
    CHECK(small_heights::of(7, 6).last == 3);
}

TEST_CASE("a tile of few heights has more than half of its rows, but one of two") {
    using xeinsum::kernel::small_height;
    for (const std::size_t limit : {6U, 8U, 16U}) {
        for (std::size_t rows = 2; rows <= limit; ++rows) {
            CHECK(small_height(rows, limit) >= rows);
            CHECK(small_height(rows, limit) < 2 * rows);
        }
    }
    CHECK(small_height(1, 8) == 2);
    CHECK(small_height(5, 6) == 6);
    CHECK(small_height(9, 16) == 12);
}

TEST_CASE_TEMPLATE("every column is written once and none beyond", I, SUPPORT_ALL_REAL_INSTANCES) {
    using T = typename I::type;
    using Arch = typename I::arch;
    constexpr auto lanes = static_cast<std::int64_t>(simd<T, Arch>::lanes);
    constexpr auto narrow = static_cast<std::int64_t>(simd<T, small_narrower_t<T, Arch>>::lanes);
    for (std::int64_t columns = 1; columns <= 5 * lanes; ++columns) {
        CAPTURE(columns);
        std::vector<int> written(static_cast<std::size_t>(columns));
        for_each_width<T, Arch>(
            columns, [&]<std::size_t Registers>(const small_columns& across, std::int64_t at) {
                const std::int64_t registers = static_cast<std::int64_t>(Registers) * lanes;
                CHECK(across.count <= (Registers == 0 ? narrow : registers));
                // A tile of two reads two whole registers; only narrow ones and all columns of a
                // product may be part of one.
                CHECK((Registers != 2 || across.count > lanes));
                CHECK((Registers != 1 || across.count == std::min(columns, lanes)));
                REQUIRE(at >= 0);
                REQUIRE(at + across.count <= columns);
                for (std::int64_t j = across.done; j < across.count; ++j) {
                    ++written[static_cast<std::size_t>(at + j)];
                }
            });
        CHECK(std::count(written.begin(), written.end(), 1) == columns);
    }
}

TEST_CASE("a short tail has a narrow register where that takes less time than a whole one") {
    using T = float;
    using Arch = support::native_arch;
    constexpr auto lanes = static_cast<std::int64_t>(simd<T, Arch>::lanes);
    std::vector<std::size_t> registers;
    for_each_width<T, Arch>(lanes + lanes / 2,
                            [&]<std::size_t Registers>(const small_columns&, std::int64_t) {
                                registers.push_back(Registers);
                            });
    CHECK(registers == (xeinsum::kernel::has_narrow_tail<T, Arch> ? std::vector<std::size_t>{1, 0}
                                                                  : std::vector<std::size_t>{2}));
}
