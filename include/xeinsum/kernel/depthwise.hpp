// Depthwise convolution: in "bchw,bchw->bc" every group b c has a window h w of its own weights; in
// "zabcde,zabcdef->zcdef" the positions f share the weights of their group.
#pragma once

#include <xeinsum/kernel/cascade.hpp>
#include <xeinsum/kernel/loop_nest.hpp>
#include <xeinsum/kernel/scaling.hpp>
#include <xeinsum/kernel/simd.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace xeinsum::kernel {

/// Loops with strides in the output (0), the data (1) and the weights (2). The weights do not
/// depend on positions, the output does not depend on the window.
struct depthwise_loops {
    loops groups{};
    loops positions{};
    loops window{};
};

/// Which loop runs in vectors; it is the last of its kind and all arrays that depend on it lie side
/// by side along it.
enum class depthwise_vectors : unsigned char { none, groups, positions, window };

template <class T, class Arch>
class depthwise_kernel {
public:
    depthwise_kernel(const depthwise_loops& nest, const T* data, const T* weights, T* out,
                     const scaling<T>& scale)
        : nest_(nest), data_(data), weights_(weights), out_(out), scale_(scale) {}

    void run(depthwise_vectors along) {
        switch (along) {
            case depthwise_vectors::none: run_scalars(); break;
            case depthwise_vectors::groups: along_groups(); break;
            case depthwise_vectors::positions: along_positions(); break;
            case depthwise_vectors::window: along_window(); break;
        }
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

    [[nodiscard]] static loops all_but_last(const loops& all) {
        return all.first(all.count == 0 ? 0 : all.count - 1);
    }
    [[nodiscard]] static std::int64_t last_extent(const loops& all) {
        return all.count == 0 ? 1 : all.extent(all.count - 1);
    }
    [[nodiscard]] static std::int64_t last_stride(const loops& all, std::size_t array) {
        return all.count == 0 ? 0 : all.stride(all.count - 1, array);
    }

    /// Calls body(place) for each iteration of the groups around each of the positions.
    template <class Body>
    static void for_each(const loops& groups, const loops& positions, Body body) {
        odometer<3> group(groups, {0, 1, 2});
        odometer<2> position(positions, {0, 1});
        do {
            do {
                body(place{group.offset(0) + position.offset(0),
                           group.offset(1) + position.offset(1), group.offset(2)});
            } while (position.next());
        } while (group.next());
    }

    /// Calls body(sums, data offset, weights offset, t) for t below extent in each iteration of
    /// taps, to add one term to each of the sums, and puts the whole sums into total.
    template <class Add, class V, std::size_t Count, class Body>
    static void add_taps(const loops& taps, std::int64_t extent, V (&total)[Count], Body body) {
        // A copy that no address is taken of stays in registers.
        V sums[Count];
        const auto begin = [&] {
            for (V& sum : sums) {
                sum = Add::zero();
            }
        };
        const auto end = [&] {
            for (std::size_t i = 0; i < Count; ++i) {
                total[i] = sums[i];
            }
        };
        begin();
        cascade<V, Count, Add> blocks;
        std::int64_t room = block_terms;
        odometer<2> outer(taps, {1, 2});
        do {
            for (std::int64_t t = 0; t < extent;) {
                if (room == 0) {
                    end();
                    blocks.add_block(total, Count);
                    begin();
                    room = block_terms;
                }
                const std::int64_t last = std::min(extent, t + room);
                room -= last - t;
                for (; t < last; ++t) {
                    body(sums, outer.offset(0), outer.offset(1), t);
                }
            }
        } while (outer.next());
        end();
        if (!blocks.empty()) {
            blocks.add_block(total, Count);
            std::copy_n(blocks.total(Count), Count, total);
        }
    }

    /// The same for each iteration of the window: body(sums, data offset, weights offset).
    template <class Add, class V, std::size_t Count, class Body>
    static void add_window(const loops& window, V (&total)[Count], Body body) {
        const std::int64_t data_step = last_stride(window, 1);
        const std::int64_t weights_step = last_stride(window, 2);
        add_taps<Add>(all_but_last(window), last_extent(window), total,
                      [&](V(&sums)[Count], std::int64_t d, std::int64_t w, std::int64_t t) {
                          body(sums, d + t * data_step, w + t * weights_step);
                      });
    }

    void run_scalars() {
        for_each(nest_.groups, nest_.positions, [&](const place& at) {
            T total[1];
            add_window<number_sums<T>>(
                nest_.window, total, [&](T(&sum)[1], std::int64_t d, std::int64_t w) {
                    sum[0] =
                        scalar_mul_add<Arch>(data_[at.data + d], weights_[at.weights + w], sum[0]);
                });
            scale_.template put<Arch>(out_[at.out], total[0]);
        });
    }

    // --- lanes are neighbouring positions ---------------------------------------------------

    void along_positions() {
        const std::int64_t extent = last_extent(nest_.positions);
        for_each(nest_.groups, all_but_last(nest_.positions), [&](const place& at) {
            constexpr auto step = static_cast<std::int64_t>(tile) * width;
            std::int64_t x = 0;
            for (; x + step <= extent; x += step) {
                position_lanes<tile>({at.out + x, at.data + x, at.weights}, lanes);
            }
            for (; x < extent; x += width) {
                position_lanes<1>({at.out + x, at.data + x, at.weights},
                                  static_cast<std::size_t>(std::min(width, extent - x)));
            }
        });
    }

    template <std::size_t Tile>
    void position_lanes(const place& at, std::size_t count) {
        reg total[Tile];
        const auto add = [&](reg(&sums)[Tile], std::int64_t d, std::int64_t w) {
            const reg weight = simd_type::set(weights_[at.weights + w]);
            for (std::size_t t = 0; t < Tile; ++t) {
                sums[t] = simd_type::mul_add(weight, load(data_ + at.data + d + offset(t), count),
                                             sums[t]);
            }
        };
        add_window<simd_type>(nest_.window, total, add);
        for (std::size_t t = 0; t < Tile; ++t) {
            put(out_ + at.out + offset(t), total[t], count);
        }
    }

    [[nodiscard]] static std::int64_t offset(std::size_t t) {
        return static_cast<std::int64_t>(t) * width;
    }
    [[nodiscard]] static reg load(const T* from, std::size_t count) {
        return count == lanes ? simd_type::load(from) : simd_type::load_part(from, count);
    }
    void put(T* to, const reg& sum, std::size_t count) const {
        if (count == lanes) {
            scale_.template put_register<simd_type>(to, sum);
        } else {
            scale_.template put_part<simd_type>(to, sum, count);
        }
    }

    // --- lanes are neighbouring groups, or taps of the window -------------------------------

    /// Calls body.operator()<Tile>(place) for runs of Tile positions along the last of their loops.
    template <class Body>
    void for_each_run(const loops& groups, Body body) {
        const std::int64_t extent = last_extent(nest_.positions);
        const std::int64_t out_step = last_stride(nest_.positions, 0);
        const std::int64_t data_step = last_stride(nest_.positions, 1);
        for_each(groups, all_but_last(nest_.positions), [&](const place& at) {
            std::int64_t x = 0;
            for (; x + static_cast<std::int64_t>(tile) <= extent;
                 x += static_cast<std::int64_t>(tile)) {
                body.template operator()<tile>(
                    place{at.out + x * out_step, at.data + x * data_step, at.weights});
            }
            for (; x < extent; ++x) {
                body.template operator()<1>(
                    place{at.out + x * out_step, at.data + x * data_step, at.weights});
            }
        });
    }

    void along_groups() {
        const std::int64_t extent = last_extent(nest_.groups);
        const std::int64_t out_step = last_stride(nest_.positions, 0);
        const std::int64_t data_step = last_stride(nest_.positions, 1);
        for_each_run(all_but_last(nest_.groups), [&]<std::size_t Tile>(const place& at) {
            for (std::int64_t x = 0; x < extent; x += width) {
                const auto count = static_cast<std::size_t>(std::min(width, extent - x));
                reg total[Tile];
                const auto add = [&](reg(&sums)[Tile], std::int64_t d, std::int64_t w) {
                    const reg weight = load(weights_ + at.weights + w + x, count);
                    for (std::size_t t = 0; t < Tile; ++t) {
                        const std::int64_t from =
                            at.data + d + x + static_cast<std::int64_t>(t) * data_step;
                        sums[t] = simd_type::mul_add(weight, load(data_ + from, count), sums[t]);
                    }
                };
                add_window<simd_type>(nest_.window, total, add);
                for (std::size_t t = 0; t < Tile; ++t) {
                    put(out_ + at.out + x + static_cast<std::int64_t>(t) * out_step, total[t],
                        count);
                }
            }
        });
    }

    void along_window() {
        const std::int64_t extent = last_extent(nest_.window);
        const std::int64_t out_step = last_stride(nest_.positions, 0);
        const std::int64_t data_step = last_stride(nest_.positions, 1);
        for_each_run(nest_.groups, [&]<std::size_t Tile>(const place& at) {
            reg total[Tile];
            const auto add = [&](reg(&sums)[Tile], std::int64_t d, std::int64_t w, std::int64_t v) {
                // Lanes beyond the end are 0 in both factors and add nothing.
                const std::int64_t x = v * width;
                const auto count = static_cast<std::size_t>(std::min(width, extent - x));
                const reg weight = load(weights_ + at.weights + w + x, count);
                for (std::size_t t = 0; t < Tile; ++t) {
                    const std::int64_t from =
                        at.data + d + x + static_cast<std::int64_t>(t) * data_step;
                    sums[t] = simd_type::mul_add(weight, load(data_ + from, count), sums[t]);
                }
            };
            add_taps<simd_type>(all_but_last(nest_.window), (extent + width - 1) / width, total,
                                add);
            for (std::size_t t = 0; t < Tile; ++t) {
                scale_.template put<Arch>(out_[at.out + static_cast<std::int64_t>(t) * out_step],
                                          simd_type::sum(total[t]));
            }
        });
    }

    depthwise_loops nest_;
    const T* data_;
    const T* weights_;
    T* out_;
    scaling<T> scale_;
};

/// out = scale(sum over the window of data * weights) for every group and position. No array
/// overlaps out.
template <class T, class Arch>
void depthwise_convolution(const depthwise_loops& nest, depthwise_vectors along, const T* data,
                           const T* weights, T* out, const scaling<T>& scale) {
    depthwise_kernel<T, Arch>(nest, data, weights, out, scale).run(along);
}

}  // namespace xeinsum::kernel
