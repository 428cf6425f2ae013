// Products so small that packing, tables and blocks would cost more than they: "bij,bjk->bik" with
// matrices of 4 x 4 up to about 64 x 64, one or thousands, read and written where they lie.
#pragma once

#include <xeinsum/kernel/cache.hpp>
#include <xeinsum/kernel/fetch_ahead.hpp>
#include <xeinsum/kernel/loop_nest.hpp>
#include <xeinsum/kernel/paired_rows.hpp>
#include <xeinsum/kernel/scaling.hpp>
#include <xeinsum/kernel/small_tile.hpp>
#include <xeinsum/kernel/turned_rhs.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

namespace xeinsum::kernel {

/// Rows of a tile with NV registers of columns: enough sums to hide the latency of a multiply-add
/// and few enough for the registers. With 32 of them 16 x 16 floats are one tile; more than eight
/// rows of pairs push each other out of the first-level cache.
template <class Arch, std::size_t NV>
inline constexpr std::size_t small_rows = NV == 1
                                              ? register_count<Arch> / 2
                                              : std::min<std::size_t>(register_count<Arch> * 3 / 8,
                                                                      8);

/// How rows are cut into tiles of about equal height.
struct small_heights {
    std::int64_t height = 1;
    std::int64_t count = 0;  ///< of that height
    std::int64_t last = 0;   ///< rows left

    [[nodiscard]] static constexpr small_heights of(std::int64_t rows, std::size_t limit) noexcept {
        const auto most = static_cast<std::int64_t>(limit);
        if (rows <= most) {
            return {rows, 1, 0};
        }
        const std::int64_t tiles = (rows + most - 1) / most;
        const std::int64_t height = (rows + tiles - 1) / tiles;
        return {height, rows / height, rows % height};
    }
};

/// Cuts columns into pairs of registers, then one or two registers that end with the columns: calls
/// f.operator()<registers>(small_columns, first column) for each.
template <class F>
[[gnu::always_inline]] constexpr void for_each_width(std::int64_t columns, std::int64_t lanes,
                                                     F f) {
    const std::int64_t rest = columns % (2 * lanes);
    for (std::int64_t at = 0; at < columns - rest; at += 2 * lanes) {
        f.template operator()<2>(small_columns{2 * lanes, 0}, at);
    }
    if (rest > lanes) {
        f.template operator()<2>(small_columns{rest, 0}, columns - rest);
    } else if (rest > 0) {
        const std::int64_t count = std::min(columns, lanes);
        f.template operator()<1>(small_columns{count, count - rest}, columns - count);
    }
}

/// Small products whose columns fill at least one register of Arch, or part of one if Arch is the
/// narrowest architecture.
template <class T, class Arch>
class small_gemm_run {
public:
    /// The shape must outlive it.
    small_gemm_run(const small_shape& shape, const scaling<T>& scale) : s_(shape), scale_(scale) {}

    /// Before the first of so many products: how many to work on at a time. One tile of each after
    /// the other while all are in the first-level cache; where they come from main memory and are
    /// not so small that calls matter, one after the other.
    [[nodiscard]] std::int64_t products_at_once(std::int64_t count) {
        const std::int64_t depth = s_.depth * s_.pieces;
        const std::int64_t results = s_.rows * s_.columns * element;
        const std::int64_t bytes = (s_.rows * depth + depth * s_.columns) * element + results;
        if (bytes < streamed_product_bytes || bytes * count < far_products_bytes) {
            return std::max<std::int64_t>(cached_products_bytes / bytes, 1);
        }
        if (results >= fetched_result_bytes) {
            choose_shares();
        }
        return 1;
    }

    void run(const small_batch& batch, const T* lhs, const T* rhs, T* out) const {
        next_product next{after(out, batch.out), after(lhs, batch.lhs), after(rhs, batch.rhs)};
        for_each_width(s_.columns, lanes,
                       [&]<std::size_t NV>(const small_columns& across, std::int64_t at) {
                           run_columns<NV>(across, batch, lhs, rhs + at, out + at, next);
                       });
    }

private:
    // Measured; see docs/performance.md.
    static constexpr std::int64_t cached_products_bytes = 12 << 10;
    static constexpr std::int64_t streamed_product_bytes = 2 << 10;
    static constexpr std::int64_t far_products_bytes = std::int64_t{8} << 20U;
    static constexpr std::int64_t fetched_result_bytes = 8 << 10;

    static constexpr auto lanes = static_cast<std::int64_t>(simd<T, Arch>::lanes);
    static constexpr auto element = static_cast<std::int64_t>(sizeof(T));
    using function = void (*)(const small_shape&, const small_columns&, const small_batch&,
                              const T*, const T*, T*, const scaling<T>&);

    /// Of out, lhs and rhs: where to read or write next, or how many cache lines with each tile.
    using next_product = std::array<std::uintptr_t, 3>;

    /// Of matrices that are dense, so many lines with each tile that about all have been asked for
    /// after the last one.
    void choose_shares() {
        const std::int64_t height = small_heights::of(s_.rows, small_rows<Arch, 2>).height;
        const std::int64_t tiles =
            std::max<std::int64_t>(s_.columns / (2 * lanes), 1) * (s_.rows / height);
        const auto share = [tiles](bool dense, std::int64_t elements) {
            constexpr auto line = static_cast<std::int64_t>(line_bytes);
            const std::int64_t lines = (elements * element / line + tiles - 1) / tiles;
            return dense ? static_cast<std::uintptr_t>(lines) : 0;
        };
        const bool whole = s_.pieces == 1;
        shares_ = {
            share(s_.out_row == s_.columns, s_.rows * s_.columns),
            share(whole && s_.lhs_row == s_.depth && s_.lhs_depth == 1, s_.rows * s_.depth),
            share(whole && s_.rhs_depth == s_.columns, s_.depth * s_.columns),
        };
        fetches_ = true;
    }

    /// An address, because there may be no such product.
    [[nodiscard]] static std::uintptr_t after(const T* at, std::int64_t elements) {
        return reinterpret_cast<std::uintptr_t>(at) +
               static_cast<std::uintptr_t>(elements) * sizeof(T);
    }
    /// Asks for some of what the next product reads and writes. Always inlined: g++ 12 drops calls
    /// of functions that do no more.
    [[gnu::always_inline]] void fetch(next_product& next) const {
        for (std::uintptr_t line = 0; line < shares_[0]; ++line, next[0] += line_bytes) {
            __builtin_prefetch(reinterpret_cast<const void*>(next[0]), 1);
        }
        for (std::size_t operand = 1; operand < next.size(); ++operand) {
            for (std::uintptr_t line = 0; line < shares_[operand]; ++line) {
                fetch_to_second_cache(reinterpret_cast<const void*>(next[operand]));
                next[operand] += line_bytes;
            }
        }
    }

    template <std::size_t NV>
    void run_columns(const small_columns& across, const small_batch& batch, const T* lhs,
                     const T* rhs, T* out, next_product& next) const {
        const small_heights t = small_heights::of(s_.rows, small_rows<Arch, NV>);
        const function compute = kernels<NV>[static_cast<std::size_t>(t.height - 1)];
        for (std::int64_t i = 0; i < t.count; ++i) {
            if (fetches_) {
                fetch(next);
            }
            compute(s_, across, batch, lhs, rhs, out, scale_);
            lhs += t.height * s_.lhs_row;
            out += t.height * s_.out_row;
        }
        if (t.last > 0) {
            kernels<NV>[static_cast<std::size_t>(t.last - 1)](s_, across, batch, lhs, rhs, out,
                                                              scale_);
        }
    }

    template <std::size_t R, std::size_t NV>
    static void tile(const small_shape& s, const small_columns& across, const small_batch& batch,
                     const T* lhs, const T* rhs, T* out, const scaling<T>& scale) {
        small_tile<T, Arch, R, NV>::run(s, across, batch, lhs, rhs, out, scale);
    }
    template <std::size_t NV, std::size_t... I>
    [[nodiscard]] static constexpr std::array<function, sizeof...(I)> table(
        std::index_sequence<I...>) {
        return {&tile<I + 1, NV>...};
    }
    template <std::size_t NV>
    static constexpr auto kernels = table<NV>(std::make_index_sequence<small_rows<Arch, NV>>());

    // A copy would be read in registers wider than those in which it has just been written, and
    // wait for them.
    const small_shape& s_;
    const scaling<T>& scale_;
    next_product shares_{};
    bool fetches_ = false;
};

/// Whether narrower registers than those of Arch, which exist, suit columns so few: those that fill
/// no register, or, where a part of one costs what all of it does, at most half of one.
template <class T, class Arch>
[[nodiscard]] constexpr bool prefers_narrower(std::int64_t columns) noexcept {
    constexpr auto lanes = static_cast<std::int64_t>(simd<T, Arch>::lanes);
    return simd<T, Arch>::has_lane_masks ? 2 * columns <= lanes : columns < lanes;
}

/// Calls run(small_batch, lhs, rhs, out) for the products of a batch, at most so many at a time.
template <class T, class F>
void for_each_batch(const loops& outer, std::int64_t most, const T* lhs, const T* rhs, T* out,
                    F run) {
    if (outer.count == 0) {
        run(small_batch{}, lhs, rhs, out);
        return;
    }
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

/// out = scale(product of lhs and rhs) for every iteration of outer, whose strides are those of
/// out (0), lhs (1) and rhs (2). No array overlaps out. An rhs whose columns do not lie side by
/// side has at most turned_bytes.
template <class T, class Arch>
void small_gemm(const loops& outer, const small_shape& shape, const T* lhs, const T* rhs, T* out,
                const scaling<T>& scale);

/// The same where rhs is turned for each product, or for all of the last loop.
template <class T, class Arch>
[[gnu::noinline]] void small_gemm_of_turned(const loops& outer, const small_shape& shape,
                                            const T* lhs, const T* rhs, T* out,
                                            const scaling<T>& scale) {
    turned_rhs<T, Arch> turned;
    const small_shape s = turned.shape_of(shape);
    const bool shared = outer.count > 0 && outer.stride(outer.count - 1, 2) == 0;
    const std::size_t around = outer.count - (shared ? 1 : 0);
    odometer<3> position(outer.first(around), {0, 1, 2});
    do {
        small_gemm<T, Arch>(outer.from(around), s, lhs + position.offset(1),
                            turned.turn(shape, rhs + position.offset(2)), out + position.offset(0),
                            scale);
    } while (position.next());
}

template <class T, class Arch>
void small_gemm(const loops& outer, const small_shape& shape, const T* lhs, const T* rhs, T* out,
                const scaling<T>& scale) {
    if (shape.rhs_column != 1) {
        small_gemm_of_turned<T, Arch>(outer, shape, lhs, rhs, out, scale);
        return;
    }
    using narrow = narrower_t<Arch>;
    if constexpr (!std::is_same_v<narrow, Arch>) {
        using pairs = paired_rows<T, Arch>;
        if constexpr (pairs::exists) {
            if (pairs::fits(shape)) {
                for_each_batch(outer, std::numeric_limits<std::int64_t>::max(), lhs, rhs, out,
                               [&](const small_batch& batch, const T* a, const T* b, T* to) {
                                   pairs::run(shape, batch, a, b, to, scale);
                               });
                return;
            }
        }
        if (prefers_narrower<T, Arch>(shape.columns)) {
            small_gemm<T, narrow>(outer, shape, lhs, rhs, out, scale);
            return;
        }
    }
    small_gemm_run<T, Arch> product(shape, scale);
    if (outer.count == 0) {
        product.run({}, lhs, rhs, out);
        return;
    }
    for_each_batch(outer, product.products_at_once(outer.iterations()), lhs, rhs, out,
                   [&](const small_batch& batch, const T* a, const T* b, T* to) {
                       product.run(batch, a, b, to);
                   });
}

}  // namespace xeinsum::kernel
