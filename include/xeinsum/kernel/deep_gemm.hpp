// Products of few rows whose rhs lies along its depth: "bi,oi->bo" on (16,2048) and (2048,2048)
// takes its time reading rhs, once, where it lies, in vectors along i.
#pragma once

#include <xeinsum/kernel/blocking.hpp>
#include <xeinsum/kernel/cache.hpp>
#include <xeinsum/kernel/gemm.hpp>
#include <xeinsum/kernel/gemm_memory.hpp>
#include <xeinsum/kernel/lane_sums.hpp>
#include <xeinsum/kernel/lines.hpp>
#include <xeinsum/kernel/loop_nest.hpp>
#include <xeinsum/kernel/scaling.hpp>
#include <xeinsum/kernel/simd.hpp>
#include <xeinsum/kernel/unroll.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace xeinsum::kernel {

/// Columns of a deep tile, and its rows where tiles of a usual product have so many.
inline constexpr std::size_t deep_width = 3;
[[nodiscard]] constexpr std::size_t deep_height(std::size_t mr) noexcept {
    return mr > 8 ? 8 : 4;
}
/// Bytes of a row in a block of the depth: those of a tile stay in the first-level cache. Measured;
/// see docs/performance.md.
inline constexpr std::size_t deep_row_bytes = 3072;

/// Depth of a block: that of all blocks, whole registers.
[[nodiscard]] constexpr std::size_t deep_block(std::int64_t depth, std::size_t element_bytes,
                                               std::size_t lanes) noexcept {
    const std::size_t most = deep_row_bytes / element_bytes;
    const auto k = static_cast<std::size_t>(depth);
    const std::size_t blocks = (k + most - 1) / most;
    return round_up((k + blocks - 1) / blocks, lanes);
}

/// Columns whose results are written together: whole lines.
[[nodiscard]] constexpr std::size_t deep_columns(std::size_t element_bytes) noexcept {
    return deep_width * std::max<std::size_t>(line_bytes / element_bytes, 1);
}

/// Scratch for products with so many rows, in tiles of height rows, and for those of less depth.
[[nodiscard]] constexpr std::size_t deep_gemm_bytes(std::int64_t rows, std::int64_t depth,
                                                    std::size_t height, std::size_t element_bytes,
                                                    std::size_t lanes) noexcept {
    const std::size_t m = round_up(static_cast<std::size_t>(rows), height);
    const std::size_t deep = round_up(least(deep_row_bytes / element_bytes, depth), lanes);
    return m * (deep + deep_columns(element_bytes)) * element_bytes +
           line_table::width * (2 * m + deep) * sizeof(std::int64_t);
}

/// Batched products whose depth is one loop, side by side in rhs, and whose columns are one loop.
/// A tile keeps a register of partial sums for each of its results, whose lanes are added up at the
/// end of a block of the depth. The first tile of some columns asks for the
/// next ones.
template <class T, class Arch>
class deep_gemm_run {
public:
    /// Scratch has deep_gemm_bytes(...), aligned to 64.
    deep_gemm_run(const gemm_groups& groups, const scaling<T>& scale, std::byte* scratch)
        : groups_(groups),
          scale_(scale),
          further_(scale.accumulating()),
          rows_(static_cast<std::size_t>(groups.m.iterations())),
          columns_(groups.n.iterations()),
          depth_(groups.k.iterations()),
          deep_(deep_block(depth_, sizeof(T), lanes)),
          panels_(reinterpret_cast<T*>(scratch)) {
        const std::size_t m = round_up(rows_, height);
        results_ = panels_ + m * deep_;
        numbers_ = reinterpret_cast<std::int64_t*>(results_ + m * group);
    }

    void run(const T* lhs, const T* rhs, T* out) {
        line_table out_table(numbers_, rows_);
        out_rows_ = out_table.fill(groups_.m, 0, rows_, 0);
        line_table lhs_table(numbers_ + line_table::width * rows_, rows_);
        const line_offsets lhs_rows = lhs_table.fill(groups_.m, 0, rows_, 1);
        odometer<3> batch(groups_.batch, {0, 1, 2});
        const T* in_panels = nullptr;
        do {
            const T* const lhs_here = lhs + batch.offset(1);
            for (std::int64_t p = 0; p < depth_; p += static_cast<std::int64_t>(deep_)) {
                const std::size_t deep = least(deep_, depth_ - p);
                if (lhs_here != in_panels || depth_ > static_cast<std::int64_t>(deep_)) {
                    pack(lhs_here, lhs_rows, p, deep);
                    in_panels = lhs_here;
                }
                multiply(rhs + batch.offset(2) + p, deep, out + batch.offset(0),
                         p == 0 ? scale_ : further_);
            }
        } while (batch.next());
    }

private:
    using simd_type = simd<T, Arch>;
    using reg = typename simd_type::type;
    static constexpr std::size_t lanes = simd_type::lanes;
    static constexpr std::size_t width = deep_width;
    static constexpr std::size_t height = deep_height(blocking_of<T, Arch>.mr);
    static constexpr std::size_t group = deep_columns(sizeof(T));

    /// Rows of a block of the depth in panels: for each register of the depth those of height
    /// rows. What is missing is 0.
    void pack(const T* lhs, const line_offsets& rows, std::int64_t p, std::size_t deep) {
        line_table table(numbers_ + 2 * line_table::width * rows_, deep_);
        const line_offsets depth = table.fill(groups_.k, p, deep, 1);
        const std::size_t steps = round_up(deep, lanes) / lanes;
        std::fill_n(panels_, round_up(rows_, height) * steps * lanes, T(0));
        for (std::size_t i = 0; i < rows_; ++i) {
            const T* const from = lhs + rows[i];
            T* to = panels_ + (i / height * steps * height + i % height) * lanes;
            for (std::size_t k = 0; k < deep; k += lanes, to += height * lanes) {
                const std::size_t count = std::min(lanes, deep - k);
                if (depth.side_by_side(k, lanes)) {
                    simd_type::store(to, simd_type::load(from + depth[k]));
                    continue;
                }
                for (std::size_t l = 0; l < count; ++l) {
                    to[l] = from[depth[k + l]];
                }
            }
        }
    }

    /// All columns of a block of the depth.
    void multiply(const T* rhs, std::size_t deep, T* out, const scaling<T>& scale) const {
        const std::int64_t row = groups_.n.stride(0, 2);
        const std::size_t panel = round_up(deep, lanes) * height;
        // From the columns of a tile to those of the next one, which may be beyond the array.
        const auto ahead =
            static_cast<std::uintptr_t>(row * static_cast<std::int64_t>(width * sizeof(T)));
        for (std::int64_t j = 0; j < columns_; j += static_cast<std::int64_t>(group)) {
            const std::size_t count = least(group, columns_ - j);
            for (std::size_t c = 0; c < count; c += width) {
                const T* lines[width];
                for (std::size_t w = 0; w < width; ++w) {
                    const auto column = static_cast<std::int64_t>(std::min(c + w, count - 1));
                    lines[w] = rhs + (j + column) * row;
                }
                compute<true>(panels_, lines, deep, ahead, results_ + c);
                for (std::size_t i = height; i < rows_; i += height) {
                    compute<false>(panels_ + i / height * panel, lines, deep, 0,
                                   results_ + i * group + c);
                }
            }
            put(out + j * groups_.n.stride(0, 0), count, scale);
        }
    }

    /// The sums of height rows and width columns, which begin at lines. Asks for what lies so many
    /// bytes behind the columns.
    template <bool Ahead>
    [[gnu::noinline, gnu::flatten]] static void compute(const T* panel,
                                                        const T* const (&lines)[width],
                                                        std::size_t deep, std::uintptr_t ahead,
                                                        T* to) {
        // Whole registers of results.
        constexpr std::size_t results = round_up(height * width, lanes);
        reg sums[results];
        unroll<results>([&](auto s) { sums[s] = simd_type::zero(); });
        std::array<const T*, width> from;
        unroll<width>([&](auto w) { from[w] = lines[w]; });
        const auto add = [&](const auto& load) {
            reg columns[width];
            unroll<width>([&](auto w) { columns[w] = simd_type::held(load(from[w])); });
            unroll<height>([&](auto i) {
                const reg row = simd_type::held(simd_type::load(panel + i * lanes));
                unroll<width>([&](auto w) {
                    reg& sum = sums[i * width + w];
                    sum = simd_type::mul_add(row, columns[w], sum);
                });
            });
            panel += height * lanes;
            unroll<width>([&](auto w) { from[w] += lanes; });
        };
        for (std::size_t k = deep / lanes; k != 0; --k) {
            if constexpr (Ahead) {
                // Without a lambda: g++ 12 drops calls of functions that only fetch.
                for (std::size_t w = 0; w < width; ++w) {
                    const auto wanted = reinterpret_cast<std::uintptr_t>(from[w]) + ahead;
                    __builtin_prefetch(reinterpret_cast<const void*>(wanted));
                }
            }
            add([](const T* at) { return simd_type::load(at); });
        }
        if (const std::size_t rest = deep % lanes; rest != 0) {
            add([rest](const T* at) { return simd_type::load_part(at, rest); });
        }
        T added[results];
        add_lanes(sums, added);
        for (std::size_t i = 0; i < height; ++i) {
            std::copy_n(added + i * width, width, to + i * group);
        }
    }

    /// One sum for each register.
    template <std::size_t N>
    [[gnu::always_inline]] static void add_lanes(const reg (&sums)[N], T (&added)[N]) {
        if constexpr (std::is_floating_point_v<T> && lanes > 1) {
            unroll<N / lanes>([&](auto r) {
                simd_type::store(added + r * lanes, lane_sums<T, Arch>::of(sums + r * lanes));
            });
        } else {
            unroll<N>([&](auto s) { added[s] = simd_type::sum(sums[s]); });
        }
    }

    /// Writes count columns of all rows.
    void put(T* out, std::size_t count, const scaling<T>& scale) const {
        const std::int64_t step = groups_.n.stride(0, 0);
        for (std::size_t i = 0; i < rows_; ++i) {
            T* const to = out + out_rows_[i];
            const T* const from = results_ + i * group;
            if (step != 1) {
                for (std::size_t c = 0; c < count; ++c) {
                    scale.template put<Arch>(to[static_cast<std::int64_t>(c) * step], from[c]);
                }
                continue;
            }
            std::size_t c = 0;
            for (; c + lanes <= count; c += lanes) {
                scale.template put_register<simd_type>(to + c, simd_type::load(from + c));
            }
            if (c < count) {
                scale.template put_part<simd_type>(to + c, simd_type::load(from + c), count - c);
            }
        }
    }

    gemm_groups groups_;
    scaling<T> scale_;
    scaling<T> further_;
    std::size_t rows_;
    std::int64_t columns_;
    std::int64_t depth_;
    std::size_t deep_;  ///< of a block
    T* panels_;
    T* results_ = nullptr;  ///< of all rows and some columns
    std::int64_t* numbers_ = nullptr;
    line_offsets out_rows_{};
};

/// out = scale(product of lhs and rhs, summed over k) for every batch. No array overlaps out.
template <class T, class Arch>
void deep_gemm(const gemm_groups& groups, const T* lhs, const T* rhs, T* out,
               const scaling<T>& scale, std::byte* scratch) {
    deep_gemm_run<T, Arch>(groups, scale, scratch).run(lhs, rhs, out);
}

}  // namespace xeinsum::kernel
