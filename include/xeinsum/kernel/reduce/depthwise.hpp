// Depthwise convolution: in "bchw,bchw->bc" every group b c has a window h w of its own weights; in
// "zabcde,zabcdef->zcdef" the positions f share the weights of their group.
#pragma once

#include <xeinsum/kernel/loop_nest.hpp>
#include <xeinsum/kernel/reduce/cascade.hpp>
#include <xeinsum/kernel/reduce/nest_shapes.hpp>
#include <xeinsum/kernel/scaling.hpp>
#include <xeinsum/kernel/simd/simd.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace xeinsum::kernel {

/// One loop for all of them: registers of sums, some at once, take one tap of the window after the
/// other.
///
///     vectors     sums of a tile                  data of a tap      weights of a tap
///     positions   registers of positions          a register each    one number
///     groups      a register of groups, for each  a register each    a register
///                 position
///     window      lanes, added up in the end,     a register each    a register
///                 for each position
template <class T, class Arch>
class depthwise_kernel {
public:
    depthwise_kernel(const depthwise_loops& nest, depthwise_vectors along, const T* data,
                     const T* weights, T* out, const scaling<T>& scale)
        : nest_(nest),
          along_(along),
          taps_(all_but_last(nest.window)),
          last_extent_of_window_(last_extent(nest.window)),
          data_(data),
          weights_(weights),
          out_(out),
          scale_(scale) {}

    /// Vectors run along one of the loops.
    void run() {
        const bool by_position = along_ == depthwise_vectors::positions;
        const bool by_group = along_ == depthwise_vectors::groups;
        const bool by_tap = along_ == depthwise_vectors::window;
        const loops& positions = nest_.positions;
        const loops groups = by_group ? all_but_last(nest_.groups) : nest_.groups;
        const loops outer = all_but_last(positions);
        const std::int64_t run = last_extent(positions);
        const std::int64_t extent = by_position ? run : by_group ? last_extent(nest_.groups) : 1;
        tile_steps steps{};
        steps.out = by_position ? width : last_stride(positions, 0);
        steps.data = by_position ? width : last_stride(positions, 1);
        steps.data_tap = by_tap ? width : last_stride(nest_.window, 1);
        steps.weights_tap = by_tap ? width : last_stride(nest_.window, 2);
        steps.taps = by_tap ? (last_extent_of_window_ + width - 1) / width : last_extent_of_window_;
        odometer<3> group(groups, {0, 1, 2});
        odometer<2> position(outer, {0, 1});
        do {
            do {
                const place at{group.offset(0) + position.offset(0),
                               group.offset(1) + position.offset(1), group.offset(2)};
                for (std::int64_t x = 0; x < extent;) {
                    const std::int64_t whole = by_position ? (extent - x) / width : 0;
                    const std::int64_t count =
                        by_tap || whole > 0 ? width : std::min(width, extent - x);
                    const std::int64_t tiles = by_position ? std::max<std::int64_t>(whole, 1) : run;
                    steps.count = static_cast<std::size_t>(count);
                    steps.last_count = static_cast<std::size_t>(
                        by_tap ? last_extent_of_window_ - (steps.taps - 1) * width : count);
                    sum_run({at.out + x, at.data + x, at.weights + (by_group ? x : 0)}, tiles,
                            steps);
                    x += by_position ? tiles * width : width;
                }
            } while (position.next());
        } while (group.next());
    }

private:
    using simd_type = simd<T, Arch>;
    using reg = typename simd_type::type;
    static constexpr std::size_t lanes = simd_type::lanes;
    static constexpr auto width = static_cast<std::int64_t>(lanes);
    static constexpr std::size_t tile = 4;  // sums that hide the latency of one multiply-add each

    struct place {
        std::int64_t out;
        std::int64_t data;
        std::int64_t weights;
    };
    /// From one sum of a tile to the next, and from tap to tap of the last loop of the window, of
    /// which the last one may have fewer lanes.
    struct tile_steps {
        std::int64_t out;
        std::int64_t data;
        std::int64_t data_tap;
        std::int64_t weights_tap;
        std::int64_t taps;
        std::size_t count;
        std::size_t last_count;
    };

    [[nodiscard]] static loops all_but_last(const loops& all) {
        return all.first(all.count == 0 ? 0 : all.count - 1);
    }
    [[nodiscard]] static std::int64_t last_extent(const loops& all) {
        return all.count == 0 ? 1 : all.extent(all.count - 1);
    }
    [[nodiscard]] static std::int64_t last_stride(const loops& all, std::size_t array) {
        return all.count == 0 ? 0 : all.stride(all.count - 1, array);
    }
    [[nodiscard]] static reg load(const T* from, std::size_t count) {
        return count == lanes ? simd_type::load(from) : simd_type::load_part(from, count);
    }

    /// So many sums of tiles, one behind the other.
    void sum_run(const place& at, std::int64_t count, const tile_steps& steps) const {
        constexpr auto together = static_cast<std::int64_t>(tile);
        for (std::int64_t i = 0; i < count;) {
            const place here{at.out + i * steps.out, at.data + i * steps.data, at.weights};
            if (i + together <= count) {
                sum_tile<tile>(here, steps);
                i += together;
            } else {
                sum_tile<1>(here, steps);
                ++i;
            }
        }
    }

    /// Sums over the whole window. Lanes beyond the end are 0 in both factors and add nothing.
    template <std::size_t Tile>
    [[gnu::noinline]] void sum_tile(const place& at, const tile_steps& given) const {
        const tile_steps steps = given;
        const bool one_weight = along_ == depthwise_vectors::positions;
        reg sums[Tile];
        reg total[Tile];
        const auto begin = [&] {
            for (reg& sum : sums) {
                sum = simd_type::zero();
            }
        };
        // A copy, as sums that no address is taken of stay in registers.
        const auto end = [&] {
#pragma GCC unroll 4
            for (std::size_t i = 0; i < Tile; ++i) {
                total[i] = sums[i];
            }
        };
        begin();
        cascade<reg, Tile, simd_type> blocks;
        std::int64_t room = block_terms;
        odometer<2> outer(taps_, {1, 2});
        do {
            const T* data = data_ + at.data + outer.offset(0);
            const T* weights = weights_ + at.weights + outer.offset(1);
            for (std::int64_t t = 0; t < steps.taps; ++t) {
                if (room == 0) {
                    end();
                    blocks.add_block(total, Tile);
                    begin();
                    room = block_terms;
                }
                --room;
                const std::size_t count = t + 1 == steps.taps ? steps.last_count : steps.count;
                const reg weight = one_weight ? simd_type::set(*weights) : load(weights, count);
                if (count == lanes) {
#pragma GCC unroll 4
                    for (std::size_t i = 0; i < Tile; ++i) {
                        sums[i] = simd_type::mul_add(
                            weight,
                            simd_type::load(data + static_cast<std::int64_t>(i) * steps.data),
                            sums[i]);
                    }
                } else {
#pragma GCC unroll 4
                    for (std::size_t i = 0; i < Tile; ++i) {
                        sums[i] = simd_type::mul_add(
                            weight,
                            simd_type::load_part(data + static_cast<std::int64_t>(i) * steps.data,
                                                 count),
                            sums[i]);
                    }
                }
                data += steps.data_tap;
                weights += steps.weights_tap;
            }
        } while (outer.next());
        end();
        const reg* results = total;
        if (!blocks.empty()) {
            blocks.add_block(total, Tile);
            results = blocks.total(Tile);
        }
        T* out = out_ + at.out;
        for (std::size_t i = 0; i < Tile; ++i, out += steps.out) {
            if (along_ == depthwise_vectors::window) {
                scale_.template put<Arch>(*out, simd_type::sum(results[i]));
            } else if (steps.count == lanes) {
                scale_.template put_register<simd_type>(out, results[i]);
            } else {
                scale_.template put_part<simd_type>(out, results[i], steps.count);
            }
        }
    }

    const depthwise_loops& nest_;
    depthwise_vectors along_;
    loops taps_;
    std::int64_t last_extent_of_window_;
    const T* data_;
    const T* weights_;
    T* out_;
    const scaling<T>& scale_;
};

/// out = scale(sum over the window of data * weights) for every group and position, in vectors
/// along one of the loops. No array overlaps out.
template <class T, class Arch>
void depthwise_convolution(const depthwise_loops& nest, depthwise_vectors along, const T* data,
                           const T* weights, T* out, const scaling<T>& scale) {
    depthwise_kernel<T, Arch>(nest, along, data, weights, out, scale).run();
}

}  // namespace xeinsum::kernel
