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

    /// Vectors run along one of the loops: some positions at once, all registers of groups for
    /// them.
    void run() {
        const bool by_position = along_ == depthwise_vectors::positions;
        const bool by_group = along_ == depthwise_vectors::groups;
        const bool by_tap = along_ == depthwise_vectors::window;
        const loops& positions = nest_.positions;
        const std::int64_t run = last_extent(positions);
        const std::int64_t extent = by_group ? last_extent(nest_.groups) : 1;
        const std::int64_t sums = by_position ? (run + width - 1) / width : run;
        const std::int64_t whole = by_position ? run / width : run;
        tile_steps steps{};
        steps.out = by_position ? width : last_stride(positions, 0);
        steps.data = by_position ? width : last_stride(positions, 1);
        steps.data_tap = by_tap ? width : last_stride(nest_.window, 1);
        steps.weights_tap = by_tap ? width : last_stride(nest_.window, 2);
        odometer<3> group(by_group ? all_but_last(nest_.groups) : nest_.groups, {0, 1, 2});
        odometer<2> position(all_but_last(positions), {0, 1});
        do {
            do {
                const place at{group.offset(0) + position.offset(0),
                               group.offset(1) + position.offset(1), group.offset(2)};
                for (std::int64_t i = 0; i < sums;) {
                    const bool several = i + tile <= whole;
                    for (std::int64_t x = 0; x < extent; x += width) {
                        const std::int64_t lanes_left = by_position ? run - i * width
                                                        : by_group  ? extent - x
                                                                    : width;
                        steps.count = std::min(width, lanes_left);
                        const place here{at.out + i * steps.out + x, at.data + i * steps.data + x,
                                         at.weights + (by_group ? x : 0)};
                        several ? sum_tile<tile>(here, steps) : sum_tile<1>(here, steps);
                    }
                    i += several ? tile : 1;
                }
            } while (position.next());
        } while (group.next());
    }

private:
    using simd_type = simd<T, Arch>;
    using reg = typename simd_type::type;
    static constexpr std::size_t lanes = simd_type::lanes;
    static constexpr auto width = static_cast<std::int64_t>(lanes);
    static constexpr std::int64_t tile = 4;  // sums that hide the latency of one multiply-add each

    struct place {
        std::int64_t out;
        std::int64_t data;
        std::int64_t weights;
    };
    /// From one sum of a tile to the next, and from tap to tap of the last loop of the window;
    /// lanes of positions or groups that there are.
    struct tile_steps {
        std::int64_t out;
        std::int64_t data;
        std::int64_t data_tap;
        std::int64_t weights_tap;
        std::int64_t count;
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

    /// Sums over the whole window. Lanes beyond the end are 0 in both factors and add nothing.
    template <std::size_t Tile>
    [[gnu::noinline]] void sum_tile(const place& at, const tile_steps& given) const {
        const tile_steps steps = given;
        const bool one_weight = along_ == depthwise_vectors::positions;
        reg sums[Tile];
        reg total[Tile];
        const auto begin = [&] {
#pragma GCC unroll 4
            for (std::size_t i = 0; i < Tile; ++i) {
                sums[i] = simd_type::zero();
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
        const T* data = nullptr;
        const T* weights = nullptr;
        // The loop over taps does nothing but load and multiply: many of its loads, which may be
        // pages apart, are on their way at once.
        const auto add_taps = [&](std::int64_t taps, const auto& load) {
            while (taps > 0) {
                if (room == 0) {
                    end();
                    blocks.add_block(total, Tile);
                    begin();
                    room = block_terms;
                }
                const std::int64_t here = std::min(taps, room);
                room -= here;
                taps -= here;
#pragma GCC unroll 1
                for (std::int64_t t = 0; t < here; ++t) {
                    const reg weight = one_weight ? simd_type::set(*weights) : load(weights);
#pragma GCC unroll 4
                    for (std::size_t i = 0; i < Tile; ++i) {
                        const T* const from = data + static_cast<std::int64_t>(i) * steps.data;
                        sums[i] = simd_type::mul_add(weight, load(from), sums[i]);
                    }
                    data += steps.data_tap;
                    weights += steps.weights_tap;
                }
            }
        };
        const bool by_tap = along_ == depthwise_vectors::window;
        const std::int64_t part = by_tap ? last_extent_of_window_ % width : steps.count % width;
        const std::int64_t whole = by_tap      ? last_extent_of_window_ / width
                                   : part == 0 ? last_extent_of_window_
                                               : 0;
        const std::int64_t parts = part == 0 ? 0 : by_tap ? 1 : last_extent_of_window_;
        odometer<2> outer(taps_, {1, 2});
        do {
            data = data_ + at.data + outer.offset(0);
            weights = weights_ + at.weights + outer.offset(1);
            add_taps(whole, [](const T* from) { return simd_type::load(from); });
            add_taps(parts, [&](const T* from) {
                return simd_type::load_part(from, static_cast<std::size_t>(part));
            });
        } while (outer.next());
        end();
        const reg* results = total;
        if (!blocks.empty()) {
            blocks.add_block(total, Tile);
            results = blocks.total(Tile);
        }
        T* out = out_ + at.out;
        for (std::size_t i = 0; i < Tile; ++i, out += steps.out) {
            if (by_tap) {
                scale_.template put<Arch>(*out, simd_type::sum(results[i]));
            } else if (part == 0) {
                scale_.template put_register<simd_type>(out, results[i]);
            } else {
                scale_.template put_part<simd_type>(out, results[i],
                                                    static_cast<std::size_t>(part));
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
