// What products of few rows share, whatever their tiles: those of "bij,bjk->bik" with few i pack a
// block of j of each lhs and pass over all columns k with it.
#pragma once

#include <xeinsum/kernel/gemm/few_rows_shapes.hpp>
#include <xeinsum/kernel/gemm/gemm_groups.hpp>
#include <xeinsum/kernel/gemm/gemm_memory.hpp>
#include <xeinsum/kernel/loop_nest.hpp>
#include <xeinsum/kernel/memory/cache.hpp>
#include <xeinsum/kernel/memory/lines.hpp>
#include <xeinsum/kernel/scaling.hpp>

#include <cstddef>
#include <cstdint>

namespace xeinsum::kernel {

/// Columns before the first that begins a cache line of each row of rhs, where it is worth to go on
/// from there: tiles of columns that begin within lines read one line more of each row, which has
/// left the caches when the tile beside it has read all rows.
template <class T>
[[nodiscard]] std::int64_t columns_before_line(const T* rhs, std::int64_t row_step,
                                               std::int64_t columns) noexcept {
    constexpr auto line = static_cast<std::int64_t>(line_elements<T>);
    constexpr std::int64_t many = 40 * line;  // beside which a tile of few columns costs little
    return row_step % line == 0 && columns >= many ? elements_before_line(rhs) : 0;
}

/// Walks through the products of a batch and the blocks of their depth, which is one loop. Nothing
/// is packed twice in a row.
template <class T>
class few_rows_walk {
public:
    /// What is multiplied with the rows that are packed, and where results go.
    struct block {
        const T* rhs;
        const T* after;  ///< the rhs of the next block, or what would follow the last one
        T* out;
        std::size_t depth;
        const scaling<T>& scale;
    };

    /// For blocks of so much depth. There are few_rows_walk_bytes(...) of numbers.
    few_rows_walk(const gemm_groups& groups, const scaling<T>& scale, std::size_t deep,
                  std::int64_t* numbers)
        : groups_(groups),
          scale_(scale),
          further_(scale.accumulating()),
          deep_(deep),
          out_rows_(table_of_rows(numbers, 0)),
          lhs_rows_(table_of_rows(numbers + line_table::width * rows(), 1)),
          depths_(numbers + 2 * line_table::width * rows(), deep) {}

    [[nodiscard]] std::size_t rows() const {
        return static_cast<std::size_t>(groups_.m.iterations());
    }
    /// Where rows of the output begin.
    [[nodiscard]] const line_offsets& out_rows() const noexcept { return out_rows_; }

    /// tiles.pack(lhs, rows, depths) before the tiles.multiply(block) that need it.
    template <class Tiles>
    void run(const T* lhs, const T* rhs, T* out, Tiles& tiles) {
        run(
            lhs, rhs, out, &tiles,
            [](void* of, const T* from, const line_offsets& rows, const line_offsets& depths) {
                static_cast<Tiles*>(of)->pack(from, rows, depths);
            },
            [](void* of, const block& at) { static_cast<Tiles*>(of)->multiply(at); });
    }

private:
    using pack_function = void (*)(void*, const T*, const line_offsets&, const line_offsets&);
    using multiply_function = void (*)(void*, const block&);

    /// One for all kinds of tiles.
    [[gnu::noinline]] void run(const T* lhs, const T* rhs, T* out, void* tiles, pack_function pack,
                               multiply_function multiply) {
        const std::int64_t depth = groups_.k.iterations();
        const std::int64_t step = groups_.k.stride(0, 2);
        odometer<3> batch(groups_.batch, {0, 1, 2});
        const T* packed = nullptr;
        for (bool more = true; more;) {
            const T* const lhs_here = lhs + batch.offset(1);
            const T* const rhs_here = rhs + batch.offset(2);
            T* const out_here = out + batch.offset(0);
            more = batch.next();
            for (std::int64_t p = 0; p < depth; p += static_cast<std::int64_t>(deep_)) {
                const std::size_t deep = least(deep_, depth - p);
                const std::int64_t end = p + static_cast<std::int64_t>(deep);
                if (lhs_here != packed || depth > static_cast<std::int64_t>(deep_)) {
                    pack(tiles, lhs_here, lhs_rows_, depths_.fill(groups_.k, p, deep, 1));
                    packed = lhs_here;
                }
                const T* const after =
                    end < depth || !more ? rhs_here + end * step : rhs + batch.offset(2);
                multiply(tiles,
                         {rhs_here + p * step, after, out_here, deep, p == 0 ? scale_ : further_});
            }
        }
    }

    [[nodiscard]] line_offsets table_of_rows(std::int64_t* numbers, std::size_t array) const {
        return line_table(numbers, rows()).fill(groups_.m, 0, rows(), array);
    }

    gemm_groups groups_;
    scaling<T> scale_;
    scaling<T> further_;
    std::size_t deep_;
    line_offsets out_rows_;
    line_offsets lhs_rows_;
    line_table depths_;
};

}  // namespace xeinsum::kernel
