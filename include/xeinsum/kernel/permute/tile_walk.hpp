// The tiles of a permute one after the other, along the input first: those of "ij->ji" on
// (300, 500) begin at rows 0 and 256 and, for each of them, at columns 0, 64, 128 and so on.
#pragma once

#include <xeinsum/kernel/loop_nest.hpp>
#include <xeinsum/kernel/memory/cache.hpp>
#include <xeinsum/kernel/permute/permute_order.hpp>

#include <algorithm>
#include <cstdint>

namespace xeinsum::kernel {

/// Where a tile begins: rows from row on, some columns from column on, of what lies at in and goes
/// to out.
template <class T>
struct tile_start {
    const T* in;
    T* out;
    std::int64_t row = 0;
    std::int64_t column = 0;
};

/// Walks through the tiles. order has to live as long.
template <class T>
class tile_walk {
public:
    tile_walk(const permute_order& order, const T* in, T* out)
        : at_(order.outer(), {0, 1}),
          in_(in),
          out_(out),
          row_count_(order.rows().iterations()),
          column_count_(order.columns().iterations()) {}

    /// The most rows and columns of a tile.
    void set_extents(std::int64_t rows, std::int64_t columns) noexcept {
        tile_rows_ = rows;
        tile_columns_ = columns;
    }
    /// The last rows are not walked through.
    void leave_out(std::int64_t rows) noexcept { row_count_ -= rows; }
    /// The first tile of each row of tiles has so many columns, if not 0.
    void set_first_columns(std::int64_t columns) noexcept { first_columns_ = columns; }

    /// Elements of count that a tile takes: parts of equal length but the last, in whole lines.
    [[nodiscard]] static std::int64_t part(std::int64_t count, std::int64_t limit) noexcept {
        const std::int64_t tiles = (count + limit - 1) / limit;
        return ((count + tiles - 1) / tiles + line - 1) / line * line;
    }

    /// The first tile at the outer loops' place.
    [[nodiscard]] tile_start<T> first() const noexcept {
        return {in_ + at_.offset(1), out_ + at_.offset(0)};
    }

    [[nodiscard]] std::int64_t row_count() const noexcept { return row_count_; }
    [[nodiscard]] std::int64_t column_count() const noexcept { return column_count_; }

    [[nodiscard]] std::int64_t rows_of(const tile_start<T>& t) const noexcept {
        return std::min(tile_rows_, row_count_ - t.row);
    }
    [[nodiscard]] std::int64_t columns_of(const tile_start<T>& t) const noexcept {
        return first_columns_ > t.column ? first_columns_
                                         : std::min(tile_columns_, column_count_ - t.column);
    }

    /// On to the next tile, if there is one.
    [[nodiscard]] bool advance(tile_start<T>& t) noexcept {
        t.column += columns_of(t);
        // Not the other way round: clang 14 takes "column <" for the class template of that name.
        if (column_count_ > t.column) {
            return true;
        }
        t.column = 0;
        t.row += tile_rows_;
        if (t.row >= row_count_) {
            if (!at_.next()) {
                return false;
            }
            t = first();
        }
        return true;
    }

private:
    static constexpr auto line = static_cast<std::int64_t>(line_elements<T>);

    odometer<2> at_;
    const T* in_;
    T* out_;
    std::int64_t row_count_;
    std::int64_t column_count_;
    std::int64_t tile_rows_ = 0;
    std::int64_t tile_columns_ = 0;
    std::int64_t first_columns_ = 0;
};

}  // namespace xeinsum::kernel
