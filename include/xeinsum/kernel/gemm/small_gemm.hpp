// Products so small that packing, tables and blocks would cost more than they: "bij,bjk->bik" with
// matrices of 4 x 4 up to about 64 x 64, one or thousands, read and written where they lie.
#pragma once

#include <xeinsum/kernel/gemm/paired_rows.hpp>
#include <xeinsum/kernel/gemm/small_cut.hpp>
#include <xeinsum/kernel/gemm/small_tile.hpp>
#include <xeinsum/kernel/gemm/transposed_rhs.hpp>
#include <xeinsum/kernel/loop_nest.hpp>
#include <xeinsum/kernel/memory/cache.hpp>
#include <xeinsum/kernel/memory/prefetch.hpp>
#include <xeinsum/kernel/scaling.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

namespace xeinsum::kernel {

/// The tiles of registers of one width.
template <class T>
struct small_tiles {
    using function = void (*)(const small_shape&, const small_writing<T>&, const small_batch&,
                              const T*, const T*, T*);

    std::int64_t lanes;
    bool has_masks;
    bool has_narrow_tail;
    // The most rows of tiles with one and with two registers, and tiles by the number of rows less
    // one.
    std::array<std::size_t, 2> rows;
    std::array<const function*, 2> tiles;
    const small_tiles* narrower;
};

template <class T, class Arch, std::size_t NV, std::size_t... I>
[[nodiscard]] constexpr std::array<typename small_tiles<T>::function, sizeof...(I)>
small_tiles_by_rows(std::index_sequence<I...>) {
    return {&small_tile<T, Arch, small_height(I + 1, small_rows<Arch, NV>), NV>::run...};
}
template <class T, class Arch, std::size_t NV>
inline constexpr auto small_tiles_with =
    small_tiles_by_rows<T, Arch, NV>(std::make_index_sequence<small_rows<Arch, NV>>());

/// The tiles of Arch. Masked ones beside wider tiles have no more columns than a register.
template <class T, class Arch, bool Widest>
inline constexpr small_tiles<T> small_tiles_of = [] {
    using simd_type = simd<T, Arch>;
    small_tiles<T> of{static_cast<std::int64_t>(simd_type::lanes),
                      simd_type::has_lane_masks,
                      has_narrow_tail<T, Arch>,
                      {small_rows<Arch, 1>, small_rows<Arch, 2>},
                      {small_tiles_with<T, Arch, 1>.data(), nullptr},
                      nullptr};
    if constexpr (Widest || !simd_type::has_lane_masks) {
        of.tiles[1] = small_tiles_with<T, Arch, 2>.data();
    }
    if constexpr (has_narrow_tail<T, Arch>) {
        of.narrower = &small_tiles_of<T, small_narrower_t<T, Arch>, false>;
    }
    return of;
}();

/// Those that suit so many columns: they fill at least one register, or part of one of the
/// narrowest.
template <class T, class Arch, bool Widest>
constexpr const small_tiles<T>* small_tiles_for(std::int64_t columns) {
    if constexpr (!std::is_same_v<small_narrower_t<T, Arch>, Arch>) {
        if (prefers_narrower<T, Arch>(columns)) {
            return small_tiles_for<T, small_narrower_t<T, Arch>, false>(columns);
        }
    }
    return &small_tiles_of<T, Arch, Widest>;
}

/// Small products of one shape.
template <class T>
class small_gemm_run {
public:
    /// The shape must outlive it.
    small_gemm_run(const small_shape& shape, const scaling<T>& scale, const small_tiles<T>& tiles)
        : s_(shape), scale_(scale), tiles_(tiles) {}

    /// Before the first of the products of outer: how many of its last loop to work on at a time.
    /// One tile of each after the other while all are in the first-level cache. Of those that come
    /// from main memory, large ones run one after the other, and most are prefetched while some
    /// before them are multiplied.
    [[nodiscard]] std::int64_t products_at_once(const loops& outer, std::int64_t dram_bytes) {
        const std::int64_t depth = s_.depth * s_.pieces;
        const std::int64_t results = s_.rows * s_.columns * element;
        const std::int64_t bytes = (s_.rows * depth + depth * s_.columns) * element + results;
        const bool small = bytes < streamed_product_bytes;
        const bool in_memory =
            bytes * outer.iterations() >= (small ? 2 * dram_bytes
                                           : bytes < long_product_bytes && 2 * results < bytes
                                               ? dram_bytes
                                               : memory_products_bytes);
        const bool has_masks = tiles_.has_masks;
        const bool waits = has_masks && s_.columns < tiles_.lanes;  // for parts of registers
        if (in_memory && (small ? has_masks || bytes >= streamed_product_bytes / 2
                                : waits || results >= prefetched_result_bytes)) {
            const std::int64_t products = std::max<std::int64_t>(prefetched_bytes / bytes, 1);
            products_ahead_ = std::max(bytes_ahead / bytes, products);
            choose_shares(outer.from(outer.count - 1), products);
            return products;
        }
        return in_memory && !small ? 1 : std::max<std::int64_t>(cached_products_bytes / bytes, 1);
    }

    void run(const small_batch& batch, const T* lhs, const T* rhs, T* out) const {
        next_product next{after(out, products_ahead_ * batch.out),
                          after(lhs, products_ahead_ * batch.lhs),
                          after(rhs, products_ahead_ * batch.rhs)};
        const std::int64_t block = rows_at_once();
        for (std::int64_t i = 0, rows = 0; i < s_.rows; i += rows) {
            rows = s_.rows - i < 2 * block ? s_.rows - i : block;
            cut_columns(s_.columns, tiles_.lanes, tiles_.has_narrow_tail,
                        [&](std::size_t registers, const small_columns& across, std::int64_t at) {
                            run_columns(registers, across, rows, batch, lhs + i * s_.lhs_row,
                                        rhs + at, out + i * s_.out_row + at, next);
                        });
        }
    }

    /// Whether one call of a tile is all that a product is.
    [[nodiscard]] bool is_one_tile() const {
        return s_.columns <= tiles_.lanes && s_.rows <= static_cast<std::int64_t>(tiles_.rows[0]);
    }
    void run_one_tile(const T* lhs, const T* rhs, T* out) const {
        tiles_.tiles[0][s_.rows - 1](s_, {scale_, {s_.columns, 0}, s_.rows}, {}, lhs, rhs, out);
    }

private:
    // Measured; see docs/kernels/gemm.md.
    static constexpr std::int64_t cached_products_bytes = 12 << 10;
    static constexpr std::int64_t cached_rows_bytes = 16 << 10;
    static constexpr std::int64_t streamed_product_bytes = 2 << 10;
    static constexpr std::int64_t memory_products_bytes = std::int64_t{8} << 20U;
    /// What the hardware does not prefetch across.
    static constexpr std::int64_t long_product_bytes = 40 << 10;
    static constexpr std::int64_t prefetched_result_bytes = 1 << 9;
    /// Products that are prefetched together, and how far ahead: the shortest ones are done before
    /// what they prefetch comes from main memory.
    static constexpr std::int64_t prefetched_bytes = 4 << 10;
    static constexpr std::int64_t bytes_ahead = 14 << 10;
    /// Larger ones are more lines than are on their way to the first-level cache at once.
    static constexpr std::int64_t cached_result_bytes = 2 << 10;

    static constexpr auto element = static_cast<std::int64_t>(sizeof(T));

    /// Of out, lhs and rhs: where to read or write next, or how many cache lines with each tile.
    using next_product = std::array<std::uintptr_t, 3>;

    /// Of matrices that are dense in each piece, so many lines with each tile that about all have
    /// been prefetched after the last one. Several products are prefetched if they follow each
    /// other.
    void choose_shares(const loops& over, std::int64_t products) {
        std::int64_t tiles = 0;
        cut_columns(s_.columns, tiles_.lanes, tiles_.has_narrow_tail,
                    [&](std::size_t registers, const small_columns&, std::int64_t) {
                        if (registers > 0) {
                            tiles += small_heights::of(s_.rows, tiles_.rows[registers - 1]).count;
                        }
                    });
        const auto share = [&](std::size_t array, bool dense, std::int64_t elements) {
            constexpr auto line = static_cast<std::int64_t>(line_bytes);
            const std::int64_t stride = over.stride(0, array);
            const std::int64_t all = elements * (stride == elements ? products : 1);
            const std::int64_t lines = (all * element / line + tiles - 1) / tiles;
            return dense && stride != 0 ? static_cast<std::uintptr_t>(lines) : 0;
        };
        shares_ = {
            share(0, s_.out_row == s_.columns, s_.rows * s_.columns),
            share(1, s_.lhs_row == s_.depth && s_.lhs_depth == 1, s_.rows * s_.depth),
            share(2, s_.rhs_depth == s_.columns, s_.depth * s_.columns),
        };
        prefetches_ = true;
        cached_results_ = s_.rows * s_.columns * element <= cached_result_bytes;
    }

    /// An address, because there may be no such product.
    [[nodiscard]] static std::uintptr_t after(const T* at, std::int64_t elements) {
        return reinterpret_cast<std::uintptr_t>(at) +
               static_cast<std::uintptr_t>(elements) * sizeof(T);
    }
    /// Prefetches some of what one of the next products reads and writes. Always inlined: g++ 12
    /// drops calls of functions that do no more.
    [[gnu::always_inline]] void prefetch(next_product& next) const {
        for (std::uintptr_t line = 0; line < shares_[0]; ++line, next[0] += line_bytes) {
            const auto* const result = reinterpret_cast<const void*>(next[0]);
            if (cached_results_) {
                __builtin_prefetch(result, 1);
            } else {
                prefetch_to_second_cache(result);
            }
        }
        prefetch_operand(next[1], shares_[1], s_.lhs_piece);
        prefetch_operand(next[2], shares_[2], s_.rhs_piece);
    }

    /// The same lines of all pieces.
    [[gnu::always_inline]] void prefetch_operand(std::uintptr_t& next, std::uintptr_t lines,
                                                 std::int64_t step) const {
#pragma GCC unroll 1
        for (; lines > 0; --lines, next += line_bytes) {
#pragma GCC unroll 1
            for (std::int64_t piece = 0; piece < s_.pieces; ++piece) {
                prefetch_to_second_cache(reinterpret_cast<const void*>(
                    next + static_cast<std::uintptr_t>(piece * step) * sizeof(T)));
            }
        }
    }

    /// Of many rows as many as all columns find in the first-level cache: whole tiles.
    [[nodiscard]] std::int64_t rows_at_once() const {
        constexpr std::int64_t unit = small_rows_unit;
        if (s_.rows < 2 * unit) {
            return s_.rows;
        }
        const std::int64_t row_bytes = s_.depth * s_.pieces * element;
        return std::max<std::int64_t>(cached_rows_bytes / row_bytes / unit, 1) * unit;
    }

    /// Runs one column of tiles of some rows, which prefetch unless it is a narrow tail.
    [[gnu::noinline]] void run_columns(std::size_t registers, const small_columns& across,
                                       std::int64_t rows, const small_batch& batch, const T* lhs,
                                       const T* rhs, T* out, next_product& next) const {
        const small_tiles<T>& of = registers == 0 ? *tiles_.narrower : tiles_;
        const std::size_t place = registers == 2 ? 1 : 0;
        const small_heights t = small_heights::of(rows, of.rows[place]);
        small_writing<T> writing{scale_, across, t.height};
        const auto* const tiles = of.tiles[place];
        for (std::int64_t i = 0; i < t.count; ++i) {
            if (prefetches_ && registers > 0) {
                prefetch(next);
            }
            tiles[t.height - 1](s_, writing, batch, lhs, rhs, out);
            lhs += t.height * s_.lhs_row;
            out += t.height * s_.out_row;
        }
        if (t.last > 0) {
            writing.rows = t.last;
            tiles[t.last - 1](s_, writing, batch, lhs, rhs, out);
        }
    }

    // A copy would be read in registers wider than those in which it has just been written, and
    // wait for them.
    const small_shape& s_;
    const scaling<T>& scale_;
    const small_tiles<T>& tiles_;
    next_product shares_{};
    std::int64_t products_ahead_ = 1;  ///< from one to the one that it prefetches
    bool prefetches_ = false;
    bool cached_results_ = false;  ///< are prefetched into the first-level cache
};

/// Calls run(of, small_batch, lhs, rhs, out) for the products of a batch, at most so many at a
/// time; outer is at least one loop.
template <class T>
[[gnu::noinline]] void for_each_batch(const loops& outer, std::int64_t most, const T* lhs,
                                      const T* rhs, T* out, const void* of,
                                      void (*run)(const void*, const small_batch&, const T*,
                                                  const T*, T*)) {
    const std::size_t last = outer.count - 1;
    odometer<3> position(outer.first(last), {0, 1, 2});
    do {
        small_batch batch{0, outer.stride(last, 0), outer.stride(last, 1), outer.stride(last, 2)};
        for (std::int64_t p = 0; p < outer.extent(last); p += batch.count) {
            batch.count = std::min(most, outer.extent(last) - p);
            run(of, batch, lhs + position.offset(1) + p * batch.lhs,
                rhs + position.offset(2) + p * batch.rhs, out + position.offset(0) + p * batch.out);
        }
    } while (position.next());
}

/// out = scale(product of lhs and rhs). No array overlaps out. Of an rhs whose columns do not lie
/// side by side two registers of columns have at most transposed_bytes.
template <class T, class Arch>
void small_gemm(const small_shape& shape, const T* lhs, const T* rhs, T* out,
                const scaling<T>& scale);

/// The same for every iteration of outer, whose strides are those of out (0), lhs (1) and rhs (2).
template <class T, class Arch>
void small_gemm(const loops& outer, const small_shape& shape, const T* lhs, const T* rhs, T* out,
                const scaling<T>& scale);

/// Calls f(shape of some columns, the first one) for as many columns at a time as are transposed at
/// once: whole pairs of registers, but of the last ones.
template <class T, class Arch, class F>
void for_each_transposed(const small_shape& shape, const F& f) {
    constexpr auto pair = static_cast<std::int64_t>(2 * simd<T, Arch>::lanes);
    constexpr auto elements = static_cast<std::int64_t>(transposed_bytes / sizeof(T));
    const std::int64_t most = elements / (shape.depth * shape.pieces);
    small_shape some = shape;
    for (std::int64_t j = 0; j < shape.columns; j += some.columns) {
        const std::int64_t left = shape.columns - j;
        some.columns = left <= most ? left : std::max(most / pair, std::int64_t{1}) * pair;
        f(some, j);
    }
}

/// One product whose rhs is transposed.
template <class T, class Arch>
[[gnu::noinline]] void small_gemm_of_transposed(const small_shape& shape, const T* lhs,
                                                const T* rhs, T* out, const scaling<T>& scale) {
    transposed_rhs<T, Arch> transposed;
    for_each_transposed<T, Arch>(shape, [&](const small_shape& some, std::int64_t j) {
        small_gemm<T, Arch>(transposed.shape_of(some), lhs,
                            transposed.transpose(some, rhs + j * shape.rhs_column), out + j, scale);
    });
}

/// The same where rhs is transposed for each product, or for all of the last loop.
template <class T, class Arch>
[[gnu::noinline]] void small_gemm_of_transposed(const loops& outer, const small_shape& shape,
                                                const T* lhs, const T* rhs, T* out,
                                                const scaling<T>& scale) {
    const bool shared = outer.stride(outer.count - 1, 2) == 0;
    const std::size_t around = outer.count - (shared ? 1 : 0);
    transposed_rhs<T, Arch> transposed;
    for_each_transposed<T, Arch>(shape, [&](const small_shape& some, std::int64_t j) {
        const small_shape s = transposed.shape_of(some);
        const T* const from = rhs + j * shape.rhs_column;
        odometer<3> position(outer.first(around), {0, 1, 2});
        do {
            small_gemm<T, Arch>(outer.from(around), s, lhs + position.offset(1),
                                transposed.transpose(some, from + position.offset(2)),
                                out + j + position.offset(0), scale);
        } while (position.next());
    });
}

/// Products of paired rows.
template <class T, class Arch>
struct small_pairs {
    /// Whether a shape fits, in the registers of Arch or in narrower ones.
    [[nodiscard]] static bool fit(const small_shape& shape) {
        if constexpr (paired_rows<T, Arch>::exists) {
            return paired_rows<T, Arch>::fits(shape);
        } else if constexpr (!std::is_same_v<narrower_t<Arch>, Arch>) {
            return small_pairs<T, narrower_t<Arch>>::fit(shape);
        } else {
            return false;
        }
    }
    static void run(const small_shape& shape, const small_batch& batch, const T* lhs, const T* rhs,
                    T* out, const scaling<T>& scale) {
        if constexpr (paired_rows<T, Arch>::exists) {
            paired_rows<T, Arch>::run(shape, batch, lhs, rhs, out, scale);
        } else if constexpr (!std::is_same_v<narrower_t<Arch>, Arch>) {
            small_pairs<T, narrower_t<Arch>>::run(shape, batch, lhs, rhs, out, scale);
        }
    }
};

template <class T, class Arch>
void small_gemm(const small_shape& shape, const T* lhs, const T* rhs, T* out,
                const scaling<T>& scale) {
    if (shape.rhs_column != 1) {
        small_gemm_of_transposed<T, Arch>(shape, lhs, rhs, out, scale);
        return;
    }
    if (small_pairs<T, Arch>::fit(shape)) {
        small_pairs<T, Arch>::run(shape, {}, lhs, rhs, out, scale);
        return;
    }
    const small_gemm_run<T> product(shape, scale, *small_tiles_for<T, Arch, true>(shape.columns));
    if (product.is_one_tile()) {
        product.run_one_tile(lhs, rhs, out);
    } else {
        product.run({}, lhs, rhs, out);
    }
}

template <class T, class Arch>
void small_gemm(const loops& outer, const small_shape& shape, const T* lhs, const T* rhs, T* out,
                const scaling<T>& scale) {
    if (outer.count == 0) {
        small_gemm<T, Arch>(shape, lhs, rhs, out, scale);
        return;
    }
    if (shape.rhs_column != 1) {
        small_gemm_of_transposed<T, Arch>(outer, shape, lhs, rhs, out, scale);
        return;
    }
    if (small_pairs<T, Arch>::fit(shape)) {
        struct {
            const small_shape& shape;
            const scaling<T>& scale;
        } const pairs{shape, scale};
        for_each_batch<T>(
            outer, std::numeric_limits<std::int64_t>::max(), lhs, rhs, out, &pairs,
            [](const void* of, const small_batch& batch, const T* a, const T* b, T* to) {
                const auto& p = *static_cast<decltype(pairs)*>(of);
                small_pairs<T, Arch>::run(p.shape, batch, a, b, to, p.scale);
            });
        return;
    }
    small_gemm_run<T> product(shape, scale, *small_tiles_for<T, Arch, true>(shape.columns));
    for_each_batch<T>(outer, product.products_at_once(outer, cores<Arch>::measured().dram_bytes),
                      lhs, rhs, out, &product,
                      [](const void* of, const small_batch& batch, const T* a, const T* b, T* to) {
                          static_cast<const small_gemm_run<T>*>(of)->run(batch, a, b, to);
                      });
}

}  // namespace xeinsum::kernel
