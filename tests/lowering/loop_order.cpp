#include <xeinsum/lowering/loop_order.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

using xeinsum::mode_table;

namespace {

/// A table of two inputs with its memory; rows of extent and strides in output, lhs and rhs.
class loops {
public:
    using row = std::vector<std::int64_t>;

    explicit loops(const std::vector<row>& rows) : cells_(100), table_(cells_.data(), 2) {
        for (const row& r : rows) {
            const std::size_t m = table_.push(r[0]);
            for (std::size_t array = 0; array < 3; ++array) {
                table_.stride(m, array) = r[1 + array];
            }
        }
    }
    loops(const loops&) = delete;
    loops& operator=(const loops&) = delete;

    [[nodiscard]] mode_table& get() { return table_; }
    [[nodiscard]] std::vector<row> rows() const {
        std::vector<row> all;
        for (std::size_t m = 0; m < table_.size(); ++m) {
            all.push_back(
                {table_.extent(m), table_.stride(m, 0), table_.stride(m, 1), table_.stride(m, 2)});
        }
        return all;
    }

private:
    std::vector<std::int64_t> cells_;
    mode_table table_;
};

using rows = std::vector<loops::row>;

}  // namespace

TEST_CASE("rows of a range are sorted by the length of their strides in one array") {
    loops l({{2, 1, 0, 0}, {3, 5, 7, 1}, {4, -90, 2, 3}, {5, 30, 9, 2}, {6, 400, 0, 0}});
    xeinsum::lowerings::sort_rows(l.get(), 1, 4, 0);
    CHECK(l.rows() ==
          rows{{2, 1, 0, 0}, {4, -90, 2, 3}, {5, 30, 9, 2}, {3, 5, 7, 1}, {6, 400, 0, 0}});
    xeinsum::lowerings::sort_rows(l.get(), 0, 5, 2);
    CHECK(l.rows() ==
          rows{{4, -90, 2, 3}, {5, 30, 9, 2}, {3, 5, 7, 1}, {2, 1, 0, 0}, {6, 400, 0, 0}});
}

TEST_CASE("the row of stride 1 is found in a range") {
    loops l({{2, 1, 0, 0}, {3, 5, 1, 0}, {4, 1, -1, 0}});
    CHECK(xeinsum::lowerings::unit_row(l.get(), 0, 3, 0) == 0);
    CHECK(xeinsum::lowerings::unit_row(l.get(), 1, 3, 0) == 2);
    CHECK(xeinsum::lowerings::unit_row(l.get(), 0, 3, 1) == 1);
    CHECK(xeinsum::lowerings::unit_row(l.get(), 2, 3, 1) == 3);
    CHECK(xeinsum::lowerings::unit_row(l.get(), 0, 3, 2) == 3);
}

TEST_CASE("a row moves backwards past the others") {
    loops l({{2, 1, 0, 0}, {3, 5, 0, 0}, {4, 9, 0, 0}, {5, 8, 0, 0}});
    xeinsum::lowerings::move_row(l.get(), 0, 2);
    CHECK(l.rows() == rows{{3, 5, 0, 0}, {4, 9, 0, 0}, {2, 1, 0, 0}, {5, 8, 0, 0}});
}

TEST_CASE("extents are divided by what whole vectors fill, else by anything") {
    constexpr auto divisor = xeinsum::lowerings::divisor;
    static_assert(divisor(31, 32, 8) == 31);
    static_assert(divisor(96, 32, 8) == 32);
    static_assert(divisor(96, 31, 8) == 24);
    static_assert(divisor(72, 35, 8) == 24);
    static_assert(divisor(90, 32, 8) == 30);
    static_assert(divisor(97, 32, 8) == 1);
    static_assert(divisor(97, 0, 8) == 1);
}

TEST_CASE("two loops that lie along different arrays become a tile") {
    // rhs lies along the first row of the tile, lhs along the second
    loops both({{7, 1, 0, 0}, {48, 9, 1, 60}, {60, 3, 48, 1}});
    CHECK(xeinsum::lowerings::tile_rows(both.get(), 1, 3, 1, 256) == 2);
    CHECK(both.rows() ==
          rows{{7, 1, 0, 0}, {2, 90, 48 * 30, 30}, {6, 72, 8, 480}, {30, 3, 48, 1}, {8, 9, 1, 60}});
    // extents that are small enough are not cut
    loops across({{48, 9, 1, 30}, {30, 3, 48, 1}});
    CHECK(xeinsum::lowerings::tile_rows(across.get(), 0, 2, 1, 256) == 1);
    CHECK(across.rows() == rows{{6, 72, 8, 240}, {30, 3, 48, 1}, {8, 9, 1, 30}});
    loops along({{8, 9, 1, 64}, {64, 3, 8, 1}});
    CHECK(xeinsum::lowerings::tile_rows(along.get(), 0, 2, 1, 256) == 1);
    CHECK(along.rows() == rows{{2, 96, 256, 32}, {32, 3, 8, 1}, {8, 9, 1, 64}});
}

TEST_CASE("loops that lie along the same array, or cannot be cut, stay as they are") {
    for (const rows& r :
         {rows{{48, 9, 1, 1}, {60, 3, 48, 48}}, rows{{48, 9, 1, 60}, {60, 3, 48, 2}},
          rows{{97, 9, 1, 61}, {61, 3, 97, 1}}}) {
        loops l(r);
        CHECK(xeinsum::lowerings::tile_rows(l.get(), 0, 2, 1, 256) == 0);
        CHECK(l.rows() == r);
    }
}
