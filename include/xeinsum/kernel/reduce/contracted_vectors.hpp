// A nest whose lanes are terms of one sum: "ij,j->i" and "ijk->j" run in vectors of j and of k, and
// lanes are added up at the end.
#pragma once

#include <xeinsum/kernel/cursors.hpp>
#include <xeinsum/kernel/loop_nest.hpp>
#include <xeinsum/kernel/memory/cache.hpp>
#include <xeinsum/kernel/memory/prefetch.hpp>
#include <xeinsum/kernel/reduce/cascade.hpp>
#include <xeinsum/kernel/reduce/lane_sums.hpp>
#include <xeinsum/kernel/reduce/line_kernels.hpp>
#include <xeinsum/kernel/reduce/packed_lines.hpp>
#include <xeinsum/kernel/scaling.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <type_traits>

namespace xeinsum::kernel {

/// One row of results after the other, whose next one does not wait for its sums. All wait in a
/// panel, in a register or a lane for each row, or packed, until their terms have been added; lanes
/// of some registers are added up together. beta = 0 does not read the output. Unless Several, only
/// the vector loop is contracted.
template <class T, class Arch, bool Several = true>
class line_nest {
public:
    /// The contracted loops have the vector loop last. If there are several of them, and loops over
    /// the output, scratch has panel_scratch_bytes(nest.dram_resident) bytes, aligned to 64.
    line_nest(const loop_nest& nest, const line_kernels<T, Arch>& kernels, cursors<T>& inputs,
              const T* const* from, T* out, const scaling<T>& scale, std::byte* scratch)
        : nest_(nest),
          kernels_(kernels),
          scratch_(scratch),
          extent_(nest.contracted.extent(nest.contracted.count - 1)),
          inputs_(inputs),
          out_(out),
          scale_(scale) {
        const std::size_t last = nest.contracted.count - 1;
        const std::size_t rows = nest.output.count;
        if (is_row_by_row()) {
            row_ = nest.contracted.from(last - 1).first(1);
            outer_ = nest.output;
        } else if (rows > 0) {
            row_ = nest.output.from(rows - 1);
            outer_ = nest.output.first(rows - 1);
        }
        inputs_.start(from, nest.contracted.from(last), row_, {});
        shares_ = kernels.add == nullptr ||
                  (kernels.add_shared != nullptr && (inputs[0].row == 0) != (inputs[1].row == 0));
        together_ = nest.shares_lines || extent_ < short_line;
    }

    void run() {
        if constexpr (Several) {
            if (is_row_by_row()) {
                run_row_by_row();
                return;
            }
        }
        const loops terms = nest_.contracted.first(nest_.contracted.count - 1);
        if (packed::suits(inputs_, extent_) && kernels_.add_packed != nullptr && row_.count > 0) {
            held_ = held::groups;
        } else if (is_short()) {
            held_ = held::lanes;
            short_ = true;
        } else if (sums_in_lanes(terms)) {
            held_ = held::lanes;
        }
        if (terms.count == 0 && held_ == held::groups && kernels_.put_packed != nullptr) {
            inputs_.for_each_output(outer_, [&](std::int64_t out) {
                inputs_.for_each_term(terms, [&] {
                    kernels_.put_packed(inputs_, extent_, row_.extent(0), out_ + out,
                                        row_.stride(0, 0), scale_, nest_.dram_resident);
                });
            });
        } else if (!Several || terms.count == 0) {
            reg panel[line_panel];
            for_each_panel(terms, line_panel, panel);
        } else if constexpr (Several) {
            panel_memory<reg> memory(nest_.dram_resident, scratch_);
            for_each_panel(terms, memory.most(nest_.dram_resident), memory.values());
        }
    }

private:
    using simd_type = simd<T, Arch>;
    using reg = typename simd_type::type;
    using packed = packed_lines<T, Arch, 1, 0>;
    static constexpr std::size_t lanes = simd_type::lanes;
    static constexpr auto width = static_cast<std::int64_t>(lanes);
    static constexpr std::int64_t cached_panel = panel_memory<reg>::most(false);
    /// Rows without other terms to come: a multiple of what is added up together.
    static constexpr std::int64_t line_panel = cached_panel / 4;
    static_assert(line_panel % width == 0);

    /// Lines that are worth a sum in each lane where other terms are to come, however few rows
    /// there are.
    static constexpr std::int64_t lane_line = 16 * width;
    /// Lines that are so short are streams together.
    static constexpr std::int64_t short_line = 4 * width;
    /// Rows whose registers become some of sums in lanes.
    static constexpr std::int64_t lane_rows = 4 * width;

    /// What a register of a panel holds.
    enum class held : unsigned char {
        row,    ///< a sum whose lanes are to be added up
        lanes,  ///< a sum in each lane
        groups  ///< packed lines
    };

    /// Whether a result takes all its lines before the next one begins: of few, or a single one.
    [[nodiscard]] bool is_row_by_row() const {
        return nest_.contracted.count > 1 && (nest_.output.count == 0 || nest_.row_by_row);
    }
    /// Some lines of the loop around the vector loop are added up before they count as a block.
    [[gnu::noinline]] void run_row_by_row() {
        const std::int64_t lines = row_.extent(0);
        const loops terms = nest_.contracted.first(nest_.contracted.count - 2);
        inputs_.for_each_output(outer_, [&](std::int64_t out) {
            cascade<reg, 1, simd_type> sum;
            inputs_.for_each_term(terms, [&] {
                for (std::int64_t line = 0; line < lines; line += block_terms) {
                    const std::int64_t end = std::min(line + block_terms, lines);
                    reg panel[block_terms];
                    add_rows(panel, line, end, true);
                    for (std::int64_t i = 1; i < end - line; ++i) {
                        panel[0] = simd_type::add(panel[0], panel[i]);
                    }
                    sum.add_block(panel, 1);
                }
            });
            put_lane_sums<T, Arch>(sum.total(1), 1, out_ + out, 0, scale_);
        });
    }

    /// Sums of some rows at once, in at most so many registers.
    [[gnu::noinline]] void for_each_panel(const loops& terms, std::int64_t most, reg* memory) {
        const std::int64_t rows = row_.count == 0 ? 1 : row_.extent(0);
        const std::int64_t step = row_.count == 0 ? 0 : row_.stride(0, 0);
        const std::int64_t high = most_rows(terms, most);
        inputs_.for_each_output(outer_, [&](std::int64_t out) {
            for (std::int64_t row = 0; row < rows; row += high) {
                const std::int64_t count = std::min(high, rows - row);
                T* const to = out_ + out + row * step;
                if (!Several || terms.count == 0) {  // there is nothing to add to
                    inputs_.for_each_term(terms, [&] { add(memory, row, row + count, true); });
                    put(memory, count, to, step);
                } else if constexpr (Several) {
                    const std::size_t some = registers(count);
                    lent_cascade<reg, simd_type> panel({memory, some});
                    inputs_.for_each_term(terms, [&] {
                        add(panel.block(), row, row + count, panel.is_first());
                        panel.end_block(some);
                    });
                    put(panel.total(some), count, to, step);
                }
            }
        });
    }
    /// Rows of a panel of at most so many registers.
    [[nodiscard]] std::int64_t most_rows(const loops& terms, std::int64_t most) const {
        switch (held_) {
            case held::row: break;
            // What is stored between reads of DRAM costs their rate: that is little here.
            case held::lanes: return std::min(most, cached_panel / 2) * width;
            case held::groups: return most / extent_ * width;
        }
        return terms.count == 0 || rows_inside(terms) ? most : std::max<std::int64_t>(width, 4);
    }
    [[nodiscard]] std::size_t registers(std::int64_t rows) const {
        const std::int64_t elements = held_ == held::row      ? rows * width
                                      : held_ == held::groups ? rows * extent_
                                                              : rows;
        return static_cast<std::size_t>((elements + width - 1) / width);
    }

    /// Writes the sums of rows to a panel, or adds them.
    void add(reg* panel, std::int64_t row, std::int64_t end, bool first) const {
        switch (held_) {
            case held::row: add_rows(panel, row, end, first); break;
            case held::lanes:
                if (short_) {
                    kernels_.add_short(inputs_, extent_, panel, row, end, first,
                                       nest_.dram_resident);
                } else if constexpr (Several) {
                    add_in_lanes(panel, row, end, first);
                }
                break;
            case held::groups:
                kernels_.add_packed(inputs_, extent_, panel, row, end, first, nest_.dram_resident);
                break;
        }
    }
    /// Lanes behind the last row hold anything.
    [[gnu::noinline]] void add_in_lanes(reg* panel, std::int64_t row, std::int64_t end,
                                        bool first) const {
        if constexpr (std::is_floating_point_v<T>) {
            reg sums[lane_rows];
            std::fill_n(sums, lane_rows, simd_type::zero());
            for (; row < end; row += lane_rows) {
                const std::int64_t rows = std::min(lane_rows, end - row);
                add_rows(sums, row, row + rows, true);
                for (std::int64_t r = 0; r < rows; r += width, ++panel) {
                    const reg added = lane_sums<T, Arch>::of(sums + r);
                    *panel = first ? added : simd_type::add(*panel, added);
                }
            }
        }
    }
    [[gnu::noinline]] void add_rows(reg* panel, std::int64_t row, std::int64_t end,
                                    bool first) const {
        const bool prefetches = is_prefetched();
        while (row < end) {
            const std::int64_t rows = prefetches ? std::min(width, end - row) : end - row;
            if (prefetches) {
                prefetch_rows(row, rows);
            }
            if (shares_) {
                kernels_.add_shared(inputs_, extent_, panel, row, row + rows, first, together_);
            } else {
                kernels_.add(inputs_, extent_, panel, row, row + rows, first);
            }
            row += rows;
            panel += rows;
        }
    }

    /// Puts the sums of so many rows.
    void put(const reg* sums, std::int64_t count, T* to, std::int64_t step) const {
        if constexpr (std::is_floating_point_v<T>) {
            if (held_ == held::groups) {
                kernels_.put_groups(sums, count, extent_, to, step, scale_);
                return;
            }
            if (held_ == held::lanes) {
                put_sums<T, Arch>(sums, count, to, step, scale_);
                return;
            }
        }
        put_lane_sums<T, Arch>(sums, count, to, step, scale_);
    }

    /// Whether lines wait for each other in registers. From caches a call for few rows takes longer
    /// than lanes that are added up once, at the end.
    [[nodiscard]] bool is_short() const {
        return nest_.dram_resident ? extent_ <= kernels_.most_short_from_dram
                                   : extent_ <= kernels_.most_short && nest_.fills_lanes;
    }
    /// Whether each lane has the sum of a row, which must not depend on how many of them are here.
    [[nodiscard]] bool sums_in_lanes(const loops& terms) const {
        if (!Several || !std::is_floating_point_v<T> || lanes == 1 || terms.count == 0 ||
            !nest_.dram_resident || inputs_.counts().units < inputs_.size()) {
            return false;
        }
        // A part of a register that is not a whole cache line had better not end long ones.
        const bool suits = extent_ % width == 0 || is_broken() || sizeof(reg) >= line_bytes;
        return ((nest_.fills_lanes && suits) || extent_ >= lane_line) && rows_inside(terms) &&
               !(shares_ && nest_.shares_lines);
    }
    /// Whether the hardware does not prefetch lines, as they often end with a part of a register.
    [[nodiscard]] bool is_broken() const {
        constexpr auto hardware_elements = static_cast<std::int64_t>(384 / sizeof(T));
        return extent_ % width != 0 && extent_ < hardware_elements;
    }
    [[nodiscard]] bool is_prefetched() const {
        return simd_type::loads_by_mask && nest_.dram_resident && is_broken() &&
               held_ == held::lanes;
    }
    /// Prefetches as much as so many rows read, behind them. Always inlined: g++ 12 drops calls of
    /// functions that do nothing else.
    [[gnu::always_inline]] void prefetch_rows(std::int64_t row, std::int64_t rows) const {
        for (std::size_t i = 0; i < inputs_.counts().units; ++i) {
            const cursor<T>& input = inputs_[i];
            prefetch_close_lines<summed_lines_ahead>(input.at + row * input.row, input.row, rows);
        }
    }

    /// Whether rows lie closer to each other than terms, so that a panel should hold many.
    [[nodiscard, gnu::noinline]] bool rows_inside(const loops& terms) const {
        std::int64_t row = 0;
        std::int64_t term = 0;
        for (std::size_t i = 0; i < inputs_.size(); ++i) {
            row = std::max(row, std::abs(inputs_[i].row));
            term = std::max(term, std::abs(terms.stride(terms.count - 1, inputs_[i].array)));
        }
        return row < term;
    }

    const loop_nest& nest_;
    const line_kernels<T, Arch>& kernels_;
    std::byte* scratch_;
    std::int64_t extent_;
    held held_ = held::row;
    bool short_ = false;     ///< whether short_lines adds them up
    bool together_ = false;  ///< whether rows load together what they share
    bool shares_ = false;    ///< whether one of two inputs is the same line in all rows
    loops outer_{};
    loops row_{};
    cursors<T>& inputs_;
    T* out_;
    scaling<T> scale_;
};

/// Such a nest of inputs that are so many when it is compiled.
template <class T, class Arch, std::size_t Units, std::size_t Fixed>
class contracted_vectors : public line_nest<T, Arch> {
public:
    contracted_vectors(const loop_nest& nest, cursors<T>& inputs, const T* const* from, T* out,
                       const scaling<T>& scale, std::byte* scratch)
        : line_nest<T, Arch>(nest, line_kernels_of<T, Arch, Units, Fixed>::all, inputs, from, out,
                             scale, scratch) {}
};

}  // namespace xeinsum::kernel
