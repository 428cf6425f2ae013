// A tile of a small product: R rows of "ij,jk->ik" in one or two registers each, from operands that
// lie as they are.
#pragma once

#include <xeinsum/kernel/gemm/gemm_groups.hpp>
#include <xeinsum/kernel/scaling.hpp>
#include <xeinsum/kernel/simd/opaque.hpp>
#include <xeinsum/kernel/simd/simd.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace xeinsum::kernel {

/// Products of one shape at equal distances.
struct small_batch {
    std::int64_t count = 1;
    std::int64_t out = 0, lhs = 0, rhs = 0;
};

/// Columns of a tile. With at least a register of them, its registers are whole and the last one
/// ends where the columns do, so that registers may overlap; fewer make a part of a register.
struct small_columns {
    std::int64_t count = 1;
    std::int64_t done = 0;  ///< the first ones, whose results are written already
};

/// The rows of a tile of height R where it has less: they come in groups of three and what is left,
/// and the last groups begin so early that they end with the rows. Some rows are then computed
/// twice, which gives the same results.
template <std::size_t R>
struct small_row_groups {
    static constexpr std::size_t count = (R + 2) / 3;

    /// Of the group of row 3 * group of the tile; rows are at least those of a group.
    [[nodiscard, gnu::always_inline]] static constexpr std::int64_t first(
        std::size_t group, std::int64_t rows) noexcept {
        const std::size_t last = R - 3 * group;
        const auto size = static_cast<std::int64_t>(last < 3 ? last : 3);
        return std::min(static_cast<std::int64_t>(3 * group), rows - size);
    }
};

/// How the results of a tile are written.
template <class T>
struct small_writing {
    const scaling<T>& scale;
    small_columns columns;
    std::int64_t rows;  ///< that the tile has
};

/// The results of tiles that are scaled, added to what is there, or parts of a register. A function
/// of its own: what it needs would take registers from the sums.
template <class T, class Arch>
struct small_results {
    using simd_type = simd<T, Arch>;
    using reg = typename simd_type::type;
    static constexpr auto lanes = static_cast<std::int64_t>(simd_type::lanes);

    /// Puts the rows of a tile of so many registers and such a height.
    [[gnu::noinline]] static void put(const reg* sums, std::int64_t registers, std::int64_t height,
                                      const small_writing<T>& w, T* out, std::int64_t out_row) {
        // Numbers of its own: results might lie over those in memory.
        const std::int64_t rows = w.rows;
        const small_columns columns = w.columns;
        const bool part = registers == 1 && columns.count < lanes;
        const bool plain = w.scale.is_identity();
        if (part && plain && rows == height) {
            put_parts(sums, rows, columns.count, out, out_row);
            return;
        }
        std::int64_t size = rows == height ? height : 3;
        for (std::int64_t i = 0, done = 0; i < height; i += size) {
            size = std::min(size, height - i);
            // A group begins with rows that one before it has.
            const std::int64_t first = std::max<std::int64_t>(std::min(i, rows - size), 0);
            const std::int64_t end = std::min(first + size, rows);
            const reg* of = sums + (i + done - first) * registers;
            for (; done < end; ++done, of += registers, out += out_row) {
                if (!part) {
                    put(out, of[0], columns.done, w.scale);
                    if (registers > 1) {
                        const std::int64_t second = columns.count - lanes;
                        put(out + second, of[1], lanes - second, w.scale);
                    }
                } else if (plain) {
                    simd_type::store_part(out, *of, static_cast<std::size_t>(columns.count));
                } else {
                    w.scale.template put_part<simd_type>(out, *of,
                                                         static_cast<std::size_t>(columns.count));
                }
            }
        }
    }

private:
    /// Puts parts of registers, or whole ones, see rows_put_whole.
    static void put_parts(const reg* sums, std::int64_t rows, std::int64_t count, T* out,
                          std::int64_t out_row) {
        std::int64_t i = 0;
        if (out_row == count) {
            for (const std::int64_t whole = rows_put_whole(rows, count, lanes); i < whole; ++i) {
                simd_type::store(out + i * out_row, sums[i]);
            }
        }
        for (; i < rows; ++i) {
            simd_type::store_part(out + i * out_row, sums[i], static_cast<std::size_t>(count));
        }
    }

    /// Puts a register whose first done lanes are written already.
    static void put(T* out, const reg& value, std::int64_t done, const scaling<T>& scale) {
        if (done <= 0) {
            scale.template put_register<simd_type>(out, value);
            return;
        }
        scale.template put_behind<simd_type, Arch>(out, value, done);
    }
};

template <class T, class Arch, std::size_t R, std::size_t NV>
struct small_tile {
    using simd_type = simd<T, Arch>;
    using reg = typename simd_type::type;
    static constexpr auto lanes = static_cast<std::int64_t>(simd_type::lanes);
    using groups = small_row_groups<R>;

    /// Writes the same tile of every product of a batch, at least one. It has at most R rows, and
    /// more than half as many if these are more than 2. beta = 0 does not read the output.
    [[gnu::noinline]] static void run(const small_shape& shape, const small_writing<T>& writing,
                                      const small_batch& batch, const T* lhs, const T* rhs,
                                      T* out) {
        for (std::int64_t left = batch.count;;) {
            run<false>(shape, writing, lhs, rhs, out);
            if (--left == 0) {
                return;
            }
            lhs += batch.lhs;
            rhs += batch.rhs;
            out += batch.out;
        }
    }

    /// One tile of a shape that is a constant.
    [[gnu::always_inline]] static inline void run_fixed(const small_shape& shape,
                                                        const small_writing<T>& writing,
                                                        const T* lhs, const T* rhs, T* out) {
        run<true>(shape, writing, lhs, rhs, out);
    }

private:
    // Rows are opaque: otherwise g++ 12 computes a dozen multiples of strides beforehand, which
    // takes as long as a small product.

    /// Numbers that are needed after the sums: those that are no constants are read again, because
    /// what registers have no room for would go through those of vectors and wait behind the sums.
    template <bool Constant, class P>
    [[gnu::always_inline]] static inline const P& later(const P& numbers) {
        if constexpr (Constant) {
            return numbers;
        } else {
            return *opaque(&numbers);
        }
    }

    template <bool Constant>
    [[gnu::always_inline]] static inline void run(const small_shape& shape,
                                                  const small_writing<T>& writing, const T* lhs,
                                                  const T* rhs, T* out) {
        reg sums[R][NV];
        multiply<Constant>(shape, writing, lhs, rhs, sums);
        const small_writing<T>& w = later<Constant>(writing);
        const std::int64_t row = later<Constant>(shape).out_row;
        if (w.scale.is_identity() && (NV > 1 || masked || w.columns.count >= lanes)) {
            const std::int64_t count = w.columns.count;
            T* to = out;
#pragma GCC unroll 16
            for (std::size_t i = 0; i < R; ++i) {
                if (i > 0) {
                    to = i % 3 == 0 ? opaque(out + groups::first(i / 3, w.rows) * row)
                                    : opaque(to + row_step(row, w.rows));
                }
                // Where registers overlap they hold the same results.
                if constexpr (masked) {
                    simd_type::store_part(to, sums[i][0], static_cast<std::size_t>(count));
                } else {
                    simd_type::store(to, sums[i][0]);
                }
                if constexpr (NV > 1) {
                    simd_type::store(to + (count - lanes), sums[i][1]);
                }
            }
        } else {
            // Only a copy has an address, so that sums stay in registers.
            reg kept[R * NV];
#pragma GCC unroll 32
            for (std::size_t at = 0; at < R * NV; ++at) {
                kept[at] = sums[at / NV][at % NV];
            }
            small_results<T, Arch>::put(kept, NV, R, w, out, row);
        }
    }

    /// From a row to the next. A tile of two computes one alone twice.
    [[gnu::always_inline]] static inline std::int64_t row_step(std::int64_t stride,
                                                               std::int64_t rows) {
        return R == 2 && rows == 1 ? 0 : stride;
    }

    /// One register of results is a part of itself, or all of it, at the same cost. Reading parts
    /// is not: Zen 4 waits for each of them that comes from beyond the first cache.
    static constexpr bool masked = NV == 1 && simd_type::has_lane_masks;

    [[gnu::always_inline]] static inline void clear(reg (&sums)[R][NV]) {
#pragma GCC unroll 16
        for (std::size_t i = 0; i < R; ++i) {
#pragma GCC unroll 2
            for (std::size_t v = 0; v < NV; ++v) {
                sums[i][v] = simd_type::zero();
            }
        }
    }

    /// Adds what one step of the depth brings. Always inlined: g++ 12 leaves out the tallest tiles,
    /// whose sums then go through memory.
    [[gnu::always_inline]] static inline void step(const std::array<const T*, groups::count>& rows,
                                                   std::int64_t lhs_row, const T* column,
                                                   std::int64_t count, reg (&to)[R][NV]) {
        reg columns[NV];
        if constexpr (NV > 1) {
            columns[0] = simd_type::load(column);
            columns[1] = simd_type::load(column + (count - lanes));
        } else {
            columns[0] = count >= lanes
                             ? simd_type::load(column)
                             : simd_type::load_part(column, static_cast<std::size_t>(count));
        }
        if constexpr (R > 1) {
#pragma GCC unroll 2
            for (std::size_t v = 0; v < NV; ++v) {
                columns[v] = simd_type::held(columns[v]);
            }
        }
#pragma GCC unroll 16
        for (std::size_t i = 0; i < R; ++i) {
            const reg a = simd_type::set(rows[i / 3][static_cast<std::int64_t>(i % 3) * lhs_row]);
#pragma GCC unroll 2
            for (std::size_t v = 0; v < NV; ++v) {
                to[i][v] = simd_type::mul_add(a, columns[v], to[i][v]);
            }
        }
    }

    /// Where so few sums are not enough to hide the latency of a multiply-add, each is the sum of
    /// two of every second step, if the depth is worth it: for each height that has as many rows.
    static constexpr std::size_t height = R <= 2 ? 2 : R <= 4 ? 4 : R;
    static constexpr std::size_t parts = height * NV <= 4 ? 2 : 1;

    template <bool Constant>
    [[gnu::always_inline]] static inline void multiply(const small_shape& shape,
                                                       const small_writing<T>& writing,
                                                       const T* lhs, const T* rhs,
                                                       reg (&sums)[R][NV]) {
        const std::int64_t count = writing.columns.count;
        clear(sums);
        std::int64_t piece = shape.pieces;
        for (;;) {
            const std::int64_t lhs_row = row_step(shape.lhs_row, writing.rows);
            const std::int64_t lhs_depth = shape.lhs_depth;
            const std::int64_t rhs_depth = shape.rhs_depth;
            // The first row of each group; two behind it are one and two strides further on.
            std::array<const T*, groups::count> rows;
            rows[0] = lhs;
#pragma GCC unroll 6
            for (std::size_t g = 1; g < rows.size(); ++g) {
                rows[g] = opaque(lhs + groups::first(g, writing.rows) * lhs_row);
            }
            const T* column = rhs;
            const auto add_step = [&](reg(&to)[R][NV]) __attribute__((always_inline)) {
                step(rows, lhs_row, column, count, to);
#pragma GCC unroll 6
                for (std::size_t g = 0; g < rows.size(); ++g) {
                    rows[g] += lhs_depth;
                }
                column += rhs_depth;
            };
            std::int64_t k = shape.depth;
            if constexpr (parts > 1) {
                if (k >= two_chains_depth) {
                    reg others[parts - 1][R][NV];
#pragma GCC unroll 3
                    for (std::size_t p = 0; p + 1 < parts; ++p) {
                        clear(others[p]);
                    }
                    constexpr auto together = static_cast<std::int64_t>(parts);
                    do {
                        add_step(sums);
#pragma GCC unroll 3
                        for (std::size_t p = 0; p + 1 < parts; ++p) {
                            add_step(others[p]);
                        }
                        k -= together;
                    } while (k > together);
#pragma GCC unroll 3
                    for (std::size_t p = 0; p + 1 < parts; ++p) {
#pragma GCC unroll 4
                        for (std::size_t at = 0; at < R * NV; ++at) {
                            reg& sum = sums[at / NV][at % NV];
                            sum = simd_type::add(sum, others[p][at / NV][at % NV]);
                        }
                    }
                }
            }
            do {
                add_step(sums);
            } while (--k > 0);
            if (--piece == 0) {
                break;
            }
            const small_shape& s = later<Constant>(shape);
            lhs += s.lhs_piece;
            rhs += s.rhs_piece;
        }
    }
};

}  // namespace xeinsum::kernel
