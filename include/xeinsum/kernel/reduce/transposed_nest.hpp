// A nest whose arrays lie along different loops: "ij,ji->" transposes tiles of the second input, so
// that both are read as they lie and multiplied in vectors of j.
#pragma once

#include <xeinsum/kernel/loop_nest.hpp>
#include <xeinsum/kernel/permute/permute.hpp>
#include <xeinsum/kernel/permute/transposed_squares.hpp>
#include <xeinsum/kernel/reduce/cascade.hpp>
#include <xeinsum/kernel/reduce/multiply_reduce.hpp>
#include <xeinsum/kernel/reduce/nest_shapes.hpp>
#include <xeinsum/kernel/scaling.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace xeinsum::kernel {

/// What multiply_reduce computes, for at most few_inputs inputs and types with vectors. Output
/// loops come first. Those that are transposed have stride 1 or 0 in the loop across; results of a
/// tile are one line if there are sums. Sums of tiles are added as cascade does.
template <class T, class Arch, step_kinds Kinds = all_steps>
class transposed_nest {
public:
    /// over: all loops, outputs of them over the output. Scratch has
    /// transposed_nest_scratch_bytes(...) bytes, aligned to 64.
    transposed_nest(const loops& over, std::size_t outputs, std::size_t inputs, std::size_t along,
                    std::size_t across, const scaling<T>& scale, std::byte* scratch)
        : over_(over),
          outputs_(outputs),
          inputs_(inputs),
          along_(along),
          across_(across),
          scale_(scale),
          scratch_(reinterpret_cast<T*>(scratch)) {
        bool copies = along >= outputs || outputs == over.count;
        for (std::size_t i = 1; i <= inputs; ++i) {
            copies = copies && (!is_apart(over.stride(along, i)) || over.stride(across, i) == 0);
        }
        if (copies) {
            // Lines are copied, not transposed: long ones, each for as many results as may be.
            high_ = transposed_along;
            wide_ = transposed_along * transposed_across;
        }
        for (std::size_t m = 0; m < over.count; ++m) {
            if (m != along && m != across) {
                std::size_t& count = m < outputs ? outer_outputs_ : outer_sums_;
                std::int64_t* row = (m < outputs ? output_rows_ : sum_rows_) + pitch * count++;
                std::copy_n(over.rows + m * over.pitch, 2 + inputs, row);
                std::fill(row + 2 + inputs, row + pitch, 0);
            }
        }
    }

    void run(const T* const* from, T* out) {
        odometer<few_inputs + 1> position({output_rows_, pitch, outer_outputs_}, columns);
        do {
            arrays at = start(from, out, position);
            for_each_tile(across_ < outputs_, across_, high_, [&](const piece& high) {
                for_each_tile(along_ < outputs_, along_, wide_, [&](const piece& wide) {
                    outputs_of_tile(moved(moved(at, across_, high.begin), along_, wide.begin), high,
                                    wide);
                });
            });
        } while (position.next());
    }

private:
    static constexpr std::size_t pitch = few_inputs + 2;
    static constexpr std::size_t columns[few_inputs + 1]{0, 1, 2, 3, 4};
    static constexpr auto most_results = static_cast<std::size_t>(transposed_along);
    static_assert(few_inputs == 4 && transposed_across <= transposed_along);

    struct arrays {
        T* out;
        std::array<const T*, few_inputs> in;
    };
    /// Iterations of a loop that is cut.
    struct piece {
        std::int64_t begin;
        std::int64_t extent;
    };

    template <class Position>
    [[nodiscard]] arrays start(const T* const* from, T* out, const Position& position) const {
        arrays at{out + position.offset(0), {}};
#pragma GCC unroll 1
        for (std::size_t i = 0; i < inputs_; ++i) {
            at.in[i] = from[i] + position.offset(i + 1);
        }
        return at;
    }
    [[nodiscard]] arrays moved(arrays at, std::size_t loop, std::int64_t by) const {
        at.out += by * over_.stride(loop, 0);
#pragma GCC unroll 1
        for (std::size_t i = 0; i < inputs_; ++i) {
            at.in[i] += by * over_.stride(loop, i + 1);
        }
        return at;
    }

    /// body(piece) for the tiles of a loop, or once for all of it if it is not this one's
    /// transpose.
    template <class Body>
    void for_each_tile(bool transpose, std::size_t loop, std::int64_t tile, Body body) const {
        const std::int64_t extent = over_.extent(loop);
        if (!transpose) {
            body(piece{0, extent});
            return;
        }
        for (std::int64_t i = 0; i < extent; i += tile) {
            body(piece{i, std::min(tile, extent - i)});
        }
    }

    /// The results of a tile: all their terms.
    void outputs_of_tile(const arrays& at, const piece& high, const piece& wide) {
        if (outputs_ == over_.count) {
            multiply(at, at.out, high.extent, wide.extent, 0, scale_);
            return;
        }
        const std::int64_t results =
            (across_ < outputs_ ? high.extent : 1) * (along_ < outputs_ ? wide.extent : 1);
        const auto count = static_cast<std::size_t>(results);
        cascade<T, most_results, number_sums<T>> sums;
        odometer<few_inputs + 1> position({sum_rows_, pitch, outer_sums_}, columns);
        do {
            const arrays term = start(at.in.data(), at.out, position);
            for_each_tile(across_ >= outputs_, across_, high_, [&](const piece& rows) {
                const arrays row = across_ >= outputs_ ? moved(term, across_, rows.begin) : term;
                const std::int64_t m = across_ >= outputs_ ? rows.extent : high.extent;
                for_each_tile(along_ >= outputs_, along_, wide_, [&](const piece& line) {
                    const arrays tile = along_ >= outputs_ ? moved(row, along_, line.begin) : row;
                    multiply(tile, sums.block(), m, along_ >= outputs_ ? line.extent : wide.extent,
                             1, sums.is_first() ? scaling<T>() : scaling<T>(T(1), T(1)));
                    sums.end_block(count);
                });
            });
        } while (position.next());
        const T* const total = sums.total(count);
        const std::int64_t step = across_ < outputs_
                                      ? over_.stride(across_, 0)
                                      : (along_ < outputs_ ? over_.stride(along_, 0) : 0);
        for (std::int64_t i = 0; i < results; ++i) {
            scale_.template put<Arch>(at.out[i * step], total[i]);
        }
    }

    /// One tile of m iterations across and n along. The output's strides are those of the nest, or
    /// the given one.
    void multiply(const arrays& at, T* out, std::int64_t m, std::int64_t n, std::int64_t out_step,
                  const scaling<T>& scale) {
        std::int64_t rows[2 * pitch]{};
        const bool along_first = along_ < outputs_ && across_ >= outputs_;
        std::int64_t* const cross = rows + (along_first ? pitch : 0);
        std::int64_t* const line = rows + (along_first ? 0 : pitch);
        cross[0] = m;
        line[0] = n;
        cross[1] = across_ >= outputs_ ? 0 : out_step != 0 ? out_step : over_.stride(across_, 0);
        line[1] = along_ >= outputs_ ? 0 : out_step != 0 ? out_step : over_.stride(along_, 0);
        std::array<const T*, few_inputs> in = at.in;
        T* to = scratch_;
        for (std::size_t i = 0; i < inputs_; ++i) {
            const std::int64_t across = over_.stride(across_, i + 1);
            const std::int64_t along = over_.stride(along_, i + 1);
            cross[2 + i] = across;
            line[2 + i] = along;
            if (is_apart(along)) {
                transpose(in[i], along, across, m, n, to);
                in[i] = to;
                to += tile_room(static_cast<std::size_t>(across == 0 ? n : m * n), sizeof(T));
                cross[2 + i] = across == 0 ? 0 : n;
                line[2 + i] = 1;
            }
        }
        const std::size_t outputs = static_cast<std::size_t>(across_ < outputs_) +
                                    static_cast<std::size_t>(along_ < outputs_);
        const loops all{rows, pitch, 2};
        multiply_reduce<T, Arch, Kinds>(
            {all.first(outputs), all.from(outputs), inputs_},
            along_ < outputs_ ? vector_loop::output : vector_loop::contracted, in.data(), out,
            scale, nullptr);
    }

    /// Copies n lines of m elements, whose strides are along and across, as m lines of n that
    /// follow each other; one line where across is 0.
    static void transpose(const T* from, std::int64_t along, std::int64_t across, std::int64_t m,
                          std::int64_t n, T* to) {
        using moved = moved_as_t<T, Arch>;
        if constexpr (!std::is_void_v<moved>) {
            using squares = transposed_squares<moved, Arch>;
            constexpr auto least = static_cast<std::int64_t>(squares::least);
            if (across == 1 && m >= least && n >= least) {
                const squares tile(reinterpret_cast<const moved*>(from),
                                   reinterpret_cast<moved*>(to), static_cast<std::size_t>(n),
                                   static_cast<std::size_t>(m), column_place::cached);
                tile.run(even_lines{along}, even_lines{n});
                return;
            }
        }
        const std::int64_t moves[]{m, n, across, n, 1, along};
        const loops both{moves, 3, 2};
        permute<T, Arch>(across == 0 ? both.from(1) : both, from, to, {}, false);
    }

    const loops over_;
    const std::size_t outputs_;
    const std::size_t inputs_;
    const std::size_t along_;
    const std::size_t across_;
    const scaling<T> scale_;
    T* const scratch_;
    std::int64_t high_ = transposed_across;  ///< iterations of a tile across
    std::int64_t wide_ = transposed_along;
    std::size_t outer_outputs_ = 0;
    std::size_t outer_sums_ = 0;
    std::int64_t output_rows_[pitch * max_loops];
    std::int64_t sum_rows_[pitch * max_loops];
};

}  // namespace xeinsum::kernel
