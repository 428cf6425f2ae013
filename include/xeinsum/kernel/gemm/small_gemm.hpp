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

/// Small products whose columns fill at least one register of Arch, or part of one if Arch is the
/// narrowest architecture.
template <class T, class Arch>
class small_gemm_run {
public:
    /// The shape must outlive it.
    small_gemm_run(const small_shape& shape, const scaling<T>& scale) : s_(shape), scale_(scale) {}

    /// Before the first of the products of outer: how many of its last loop to work on at a time.
    /// One tile of each after the other while all are in the first-level cache. Of those that come
    /// from main memory, large ones run one after the other, and most are prefetched while some
    /// before them are multiplied.
    [[nodiscard]] std::int64_t products_at_once(const loops& outer) {
        const std::int64_t depth = s_.depth * s_.pieces;
        const std::int64_t results = s_.rows * s_.columns * element;
        const std::int64_t bytes = (s_.rows * depth + depth * s_.columns) * element + results;
        const bool small = bytes < streamed_product_bytes;
        const bool far =
            bytes * outer.iterations() >= (small ? far_small_products_bytes : far_products_bytes);
        constexpr bool has_masks = simd<T, Arch>::has_lane_masks;
        const bool waits = has_masks && s_.columns < lanes;  // for parts of registers
        if (far && (small ? has_masks || bytes >= streamed_product_bytes / 2
                          : waits || results >= prefetched_result_bytes)) {
            const std::int64_t products = std::max<std::int64_t>(prefetched_bytes / bytes, 1);
            products_ahead_ = std::max(bytes_ahead / bytes, products);
            choose_shares(outer.from(outer.count - 1), products);
            return products;
        }
        return far && !small ? 1 : std::max<std::int64_t>(cached_products_bytes / bytes, 1);
    }

    void run(const small_batch& batch, const T* lhs, const T* rhs, T* out) const {
        next_product next{after(out, products_ahead_ * batch.out),
                          after(lhs, products_ahead_ * batch.lhs),
                          after(rhs, products_ahead_ * batch.rhs)};
        for_each_width<T, Arch>(
            s_.columns, [&]<std::size_t NV>(const small_columns& across, std::int64_t at) {
                if constexpr (NV == 0) {
                    small_gemm_run<T, narrower_t<Arch>>(s_, scale_)
                        .run_tail(across, batch, lhs, rhs + at, out + at);
                } else {
                    run_columns<NV>(across, batch, lhs, rhs + at, out + at, next);
                }
            });
    }

    /// Columns that fit one register.
    void run_tail(const small_columns& across, const small_batch& batch, const T* lhs, const T* rhs,
                  T* out) const {
        next_product none{};
        run_columns<1>(across, batch, lhs, rhs, out, none);
    }

    /// Whether one call of a tile is all that a product is.
    [[nodiscard]] bool is_one_tile() const {
        return s_.columns <= lanes && s_.rows <= static_cast<std::int64_t>(small_rows<Arch, 1>);
    }
    void run_one_tile(const T* lhs, const T* rhs, T* out) const {
        kernels<1>[static_cast<std::size_t>(s_.rows - 1)](s_, {scale_, {s_.columns, 0}}, {}, lhs,
                                                          rhs, out);
    }

private:
    // Measured; see docs/kernels/gemm.md.
    static constexpr std::int64_t cached_products_bytes = 12 << 10;
    static constexpr std::int64_t streamed_product_bytes = 2 << 10;
    static constexpr std::int64_t far_products_bytes = std::int64_t{8} << 20U;
    static constexpr std::int64_t far_small_products_bytes = std::int64_t{16} << 20U;
    static constexpr std::int64_t prefetched_result_bytes = 1 << 9;
    /// Products that are prefetched together, and how far ahead: the shortest ones are done before
    /// what they prefetch comes from main memory.
    static constexpr std::int64_t prefetched_bytes = 4 << 10;
    static constexpr std::int64_t bytes_ahead = 14 << 10;
    /// Larger ones are more lines than are on their way to the first-level cache at once.
    static constexpr std::int64_t near_result_bytes = 2 << 10;

    static constexpr auto lanes = static_cast<std::int64_t>(simd<T, Arch>::lanes);
    static constexpr auto element = static_cast<std::int64_t>(sizeof(T));
    using function = void (*)(const small_shape&, const small_writing<T>&, const small_batch&,
                              const T*, const T*, T*);

    /// Of out, lhs and rhs: where to read or write next, or how many cache lines with each tile.
    using next_product = std::array<std::uintptr_t, 3>;

    /// Of matrices that are dense in each piece, so many lines with each tile that about all have
    /// been prefetched after the last one. Several products are prefetched if they follow each
    /// other.
    void choose_shares(const loops& over, std::int64_t products) {
        std::int64_t tiles = 0;
        for_each_width<T, Arch>(
            s_.columns, [&]<std::size_t NV>(const small_columns&, std::int64_t) {
                if constexpr (NV > 0) {
                    tiles += small_heights::of(s_.rows, small_rows<Arch, NV>).count;
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
        near_results_ = s_.rows * s_.columns * element <= near_result_bytes;
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
            if (near_results_) {
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
        for (; lines > 0; --lines, next += line_bytes) {
            for (std::int64_t piece = 0; piece < s_.pieces; ++piece) {
                prefetch_to_second_cache(reinterpret_cast<const void*>(
                    next + static_cast<std::uintptr_t>(piece * step) * sizeof(T)));
            }
        }
    }

    /// Runs one column of tiles.
    template <std::size_t NV>
    void run_columns(const small_columns& across, const small_batch& batch, const T* lhs,
                     const T* rhs, T* out, next_product& next) const {
        const small_heights t = small_heights::of(s_.rows, small_rows<Arch, NV>);
        const function tile = kernels<NV>[static_cast<std::size_t>(t.height - 1)];
        const small_writing<T> writing{scale_, across};
        for (std::int64_t i = 0; i < t.count; ++i) {
            if (prefetches_) {
                prefetch(next);
            }
            tile(s_, writing, batch, lhs, rhs, out);
            lhs += t.height * s_.lhs_row;
            out += t.height * s_.out_row;
        }
        if (t.last > 0) {
            kernels<NV>[static_cast<std::size_t>(t.last - 1)](s_, writing, batch, lhs, rhs, out);
        }
    }

    template <std::size_t NV, std::size_t... I>
    [[nodiscard]] static constexpr std::array<function, sizeof...(I)> table(
        std::index_sequence<I...>) {
        return {&small_tile<T, Arch, I + 1, NV>::run...};
    }
    /// By the number of rows less one.
    template <std::size_t NV>
    static constexpr auto kernels = table<NV>(std::make_index_sequence<small_rows<Arch, NV>>());

    // A copy would be read in registers wider than those in which it has just been written, and
    // wait for them.
    const small_shape& s_;
    const scaling<T>& scale_;
    next_product shares_{};
    std::int64_t products_ahead_ = 1;  ///< from one to the one that it prefetches
    bool prefetches_ = false;
    bool near_results_ = false;  ///< are prefetched into the first-level cache
};

/// Calls run(small_batch, lhs, rhs, out) for the products of a batch, at most so many at a time;
/// outer is at least one loop.
template <class T, class F>
void for_each_batch(const loops& outer, std::int64_t most, const T* lhs, const T* rhs, T* out,
                    F run) {
    const std::size_t last = outer.count - 1;
    odometer<3> position(outer.first(last), {0, 1, 2});
    do {
        small_batch batch{0, outer.stride(last, 0), outer.stride(last, 1), outer.stride(last, 2)};
        for (std::int64_t p = 0; p < outer.extent(last); p += batch.count) {
            batch.count = std::min(most, outer.extent(last) - p);
            run(batch, lhs + position.offset(1) + p * batch.lhs,
                rhs + position.offset(2) + p * batch.rhs, out + position.offset(0) + p * batch.out);
        }
    } while (position.next());
}

/// out = scale(product of lhs and rhs). No array overlaps out. An rhs whose columns do not lie side
/// by side has at most transposed_bytes.
template <class T, class Arch>
void small_gemm(const small_shape& shape, const T* lhs, const T* rhs, T* out,
                const scaling<T>& scale);

/// The same for every iteration of outer, whose strides are those of out (0), lhs (1) and rhs (2).
template <class T, class Arch>
void small_gemm(const loops& outer, const small_shape& shape, const T* lhs, const T* rhs, T* out,
                const scaling<T>& scale);

/// One product whose rhs is transposed.
template <class T, class Arch>
[[gnu::noinline]] void small_gemm_of_transposed(const small_shape& shape, const T* lhs,
                                                const T* rhs, T* out, const scaling<T>& scale) {
    transposed_rhs<T, Arch> transposed;
    const small_shape s = transposed.shape_of(shape);
    small_gemm<T, Arch>(s, lhs, transposed.transpose(shape, rhs), out, scale);
}

/// The same where rhs is transposed for each product, or for all of the last loop.
template <class T, class Arch>
[[gnu::noinline]] void small_gemm_of_transposed(const loops& outer, const small_shape& shape,
                                                const T* lhs, const T* rhs, T* out,
                                                const scaling<T>& scale) {
    const bool shared = outer.stride(outer.count - 1, 2) == 0;
    const std::size_t around = outer.count - (shared ? 1 : 0);
    odometer<3> position(outer.first(around), {0, 1, 2});
    transposed_rhs<T, Arch> transposed;
    const small_shape s = transposed.shape_of(shape);
    do {
        small_gemm<T, Arch>(outer.from(around), s, lhs + position.offset(1),
                            transposed.transpose(shape, rhs + position.offset(2)),
                            out + position.offset(0), scale);
    } while (position.next());
}

/// Calls pairs.operator()<Arch>() or tiles.operator()<Arch>(), whichever suits a shape, for the
/// registers that do.
template <class T, class Arch, class Pairs, class Tiles>
[[gnu::always_inline]] inline void with_small_kernel(const small_shape& shape, Pairs pairs,
                                                     Tiles tiles) {
    using narrow = narrower_t<Arch>;
    if constexpr (!std::is_same_v<narrow, Arch>) {
        if constexpr (paired_rows<T, Arch>::exists) {
            if (paired_rows<T, Arch>::fits(shape)) {
                pairs.template operator()<Arch>();
                return;
            }
        }
        if (prefers_narrower<T, Arch>(shape.columns)) {
            with_small_kernel<T, narrow>(shape, pairs, tiles);
            return;
        }
    }
    tiles.template operator()<Arch>();
}

template <class T, class Arch>
void small_gemm(const small_shape& shape, const T* lhs, const T* rhs, T* out,
                const scaling<T>& scale) {
    if (shape.rhs_column != 1) {
        small_gemm_of_transposed<T, Arch>(shape, lhs, rhs, out, scale);
        return;
    }
    with_small_kernel<T, Arch>(
        shape,
        [&]<class Suited>() { paired_rows<T, Suited>::run(shape, {}, lhs, rhs, out, scale); },
        [&]<class Suited>() {
            const small_gemm_run<T, Suited> product(shape, scale);
            if (product.is_one_tile()) {
                product.run_one_tile(lhs, rhs, out);
            } else {
                product.run({}, lhs, rhs, out);
            }
        });
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
    with_small_kernel<T, Arch>(
        shape,
        [&]<class Suited>() {
            for_each_batch(outer, std::numeric_limits<std::int64_t>::max(), lhs, rhs, out,
                           [&](const small_batch& batch, const T* a, const T* b, T* to) {
                               paired_rows<T, Suited>::run(shape, batch, a, b, to, scale);
                           });
        },
        [&]<class Suited>() {
            small_gemm_run<T, Suited> product(shape, scale);
            for_each_batch(outer, product.products_at_once(outer), lhs, rhs, out,
                           [&](const small_batch& batch, const T* a, const T* b, T* to) {
                               product.run(batch, a, b, to);
                           });
        });
}

}  // namespace xeinsum::kernel
