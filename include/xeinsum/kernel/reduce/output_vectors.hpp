// A nest whose lanes are neighbouring results: "bld,dn->bldn" and "i,ij->j" run in vectors of n and
// of j.
#pragma once

#include <xeinsum/kernel/memory/cache.hpp>
#include <xeinsum/kernel/reduce/cascade.hpp>
#include <xeinsum/kernel/reduce/output_line.hpp>
#include <xeinsum/kernel/reduce/output_products.hpp>
#include <xeinsum/kernel/reduce/product.hpp>
#include <xeinsum/kernel/reduce/term_blocks.hpp>
#include <xeinsum/kernel/reduce/term_sums.hpp>
#include <xeinsum/kernel/scaling.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace xeinsum::kernel {

/// Sums of short lines and not too many terms stay in registers, see term_sums. Others wait in a
/// panel of registers until they are finished:
///
///     panel    rows x (extent of the vector loop), whole registers; of far inputs a larger one
///     adds     blocks of four or eight terms, so that as many lines of memory are read as streams,
///              some registers of each, and the panel is touched little; of a short line all blocks
///              of a level at once
///     levels   sixteen such blocks are passed on to the next panel, see cascade
///
/// beta = 0 does not read the output.
template <class T, class Arch, std::size_t Units, std::size_t Fixed>
class output_vectors {
public:
    /// The output loops have the vector loop last. Scratch has panel_scratch_bytes(...) bytes,
    /// aligned to 64.
    output_vectors(const loop_nest& nest, cursors<T>& inputs, const T* const* from, T* out,
                   const scaling<T>& scale, std::byte* scratch)
        : nest_(nest),
          scratch_(scratch),
          line_(nest.output.extent(nest.output.count - 1), scale),
          inputs_(inputs),
          out_(out) {
        const std::size_t last = nest.output.count - 1;
        const bool has_row = last > 0;
        const bool sums = nest.contracted.count > 0;
        row_ = nest.output.from(has_row ? last - 1 : last).first(has_row ? 1 : 0);
        outer_ = nest.output.first(has_row ? last - 1 : 0);
        term_ = nest.contracted.from(sums ? nest.contracted.count - 1 : 0).first(sums ? 1 : 0);
        inputs_.start(from, nest.output.from(last), row_, term_);
    }

    /// A nest without sums.
    void run_products() { multiply<Arch>(); }

    void run() {
        if (term_.count == 0) {
            run_products();
            return;
        }
        const adder kernel(line_, nest_.far);
        const std::int64_t rows = row_count();
        const std::int64_t terms = term_.extent(0);
        const std::int64_t registers = line_.registers();
        const bool by_row = adds_row_by_row(registers);
        if constexpr (factors::known) {
            if (by_row && nest_.contracted.count == 1 && terms <= level &&
                line_.scale().is_identity()) {
                inputs_.for_each_output(outer_, [&](std::int64_t out) {
                    inputs_.for_each_term({}, [] {});
                    kernel.put(factors(inputs_), {0, rows, 0, registers, 0, terms}, out_ + out,
                               row_step());
                });
                return;
            }
        }
        const std::int64_t most = panel_memory<reg>::most(nest_.far);
        const std::int64_t wide = std::min(registers, most);
        // Rows in a panel: such that their sums take more time than to begin them.
        constexpr std::int64_t several = 16;
        const std::int64_t high = rows_inside_terms()           ? most / adder::pitch(wide)
                                  : by_row && terms < 4 * level ? several
                                                                : 1;
        const std::int64_t at_once = by_row ? level_blocks : 1;
        inputs_.for_each_output(outer_, [&](std::int64_t out) {
            for (std::int64_t row = 0; row < rows; row += high) {
                for (std::int64_t begin = 0; begin < registers; begin += wide) {
                    sum_panel(kernel, out,
                              {row, std::min(row + high, rows), begin,
                               std::min(begin + wide, registers), 0, 0},
                              at_once);
                }
            }
        });
    }

private:
    using simd_type = simd<T, Arch>;
    using reg = typename simd_type::type;
    using factors = product<T, Arch, Units, Fixed>;
    using adder = term_sums<T, Arch, Units, Fixed>;
    /// Terms of a level of a panel.
    static constexpr std::int64_t level = level_blocks * adder::block;
    using sums_panel = lent_cascade<reg, simd_type>;

    [[nodiscard]] std::int64_t row_count() const { return row_.count == 0 ? 1 : row_.extent(0); }
    /// From one row of the output to the next.
    [[nodiscard]] std::int64_t row_step() const { return row_.count == 0 ? 0 : row_.stride(0, 0); }

    /// Without sums: the kernel runs on the loop around the rows, too, which may be short, in the
    /// registers that suit lines which are put as they are.
    template <class Suited>
    void multiply() {
        using narrow = narrower_t<Suited>;
        if constexpr (factors::known && !std::is_same_v<narrow, Suited>) {
            constexpr auto least = static_cast<std::int64_t>(simd<T, narrow>::lanes);
            if (line_.scale().is_identity() && line_.extent() >= least &&
                prefers_narrower<T, Suited>(line_.extent())) {
                multiply<narrow>();
                return;
            }
        }
        const output_line<T, Suited> line(line_.extent(), line_.scale());
        const output_products<T, Suited, Units, Fixed> products(line, nest_, out_);
        const std::size_t around = outer_.count - (factors::known && outer_.count > 0 ? 1 : 0);
        const loops planes = outer_.from(around);
        inputs_.for_each_output(outer_.first(around), [&](std::int64_t out) {
            inputs_.for_each_term(
                {}, [&] { products.run(inputs_, out_ + out, row_step(), row_count(), planes); });
        });
        products.end();
    }

    /// Whether rows lie closer to each other than terms, so that a panel should hold many.
    [[nodiscard]] bool rows_inside_terms() const {
        std::int64_t row = 0;
        std::int64_t term = 0;
        for (std::size_t i = 0; i < inputs_.size(); ++i) {
            row = std::max(row, std::abs(inputs_[i].row));
            term = std::max(term, std::abs(inputs_[i].term));
        }
        return row_.count > 0 && row < term;
    }

    /// Whether the sums of a row, of so many registers, take all terms before those of the next.
    [[nodiscard]] bool adds_row_by_row(std::int64_t registers) const {
        if (registers > adder::most_registers) {
            return false;
        }
        line_terms l{registers, term_.extent(0), Units, rows_inside_terms()};
        for (std::size_t i = 0; l.rows_inside && i < inputs_.size(); ++i) {
            const std::int64_t bytes = inputs_[i].term * static_cast<std::int64_t>(sizeof(T));
            l.held = l.held && sets_hold(l.terms, bytes);
        }
        return kernel::adds_row_by_row(l);
    }

    /// Sums rows of a block, of all terms: as many blocks of them at once as given, or fewer.
    [[gnu::noinline]] void sum_panel(const adder& kernel, std::int64_t out, sums_block b,
                                     std::int64_t at_once) {
        const std::int64_t pitch = adder::pitch(b.end - b.begin);
        const auto registers = static_cast<std::size_t>((b.row_end - b.row) * pitch);
        panel_memory<reg> memory(nest_.far, scratch_);
        sums_panel panel(memory.levels(registers));
        const std::int64_t terms = term_.extent(0);
        const std::int64_t ahead = terms_ahead(registers);
        inputs_.for_each_term(nest_.contracted.first(nest_.contracted.count - 1), [&] {
            const factors f(inputs_);
            for (b.term = 0; b.term < terms; b.term = b.term_end) {
                const std::int64_t left = terms - b.term;
                const std::int64_t room = std::min(panel.room(), at_once);
                std::int64_t blocks = block_count(adder::block, left);
                b.term_end = terms;
                if (blocks > room) {
                    blocks = std::min(room, std::max<std::int64_t>(left / adder::block, 1));
                    b.term_end = b.term + (left < adder::block ? block_size(adder::block, left)
                                                               : blocks * adder::block);
                }
                kernel.add(f, b, panel.block(), panel.is_first(), ahead);
                panel.end_block(registers, blocks);
            }
        });
        const reg* total = panel.total(registers);
        for (std::int64_t row = b.row; row < b.row_end; ++row, total += pitch) {
            line_.put(out_ + out + row * row_step(), b.begin, b.end, total);
        }
    }

    /// How many terms ahead is prefetched: those of the next block of lines of so many registers,
    /// but at least 4 KiB away; of rows that are summed one by one, no farther than that. 0 for
    /// what hardware prefetches itself: lines that are so short, or, with the registers of machines
    /// whose prefetchers follow many, so long.
    [[nodiscard]] std::int64_t terms_ahead(std::size_t registers) const {
        constexpr std::int64_t distance = 4096;
        constexpr std::int64_t short_line = 512;
        constexpr std::int64_t long_line =
            sizeof(reg) > 32 ? std::numeric_limits<std::int64_t>::max() : 4096;
        const auto bytes = static_cast<std::int64_t>(registers * sizeof(reg));
        if (!nest_.far || bytes < short_line || bytes >= long_line ||
            (core_of<Arch>.prefetches_streams && line_.registers() >= direct_registers)) {
            return 0;
        }
        const std::int64_t blocks = std::max<std::int64_t>(distance / (adder::block * bytes), 1);
        return line_.registers() <= adder::most_registers && !rows_inside_terms()
                   ? std::min(adder::block * blocks, distance / bytes)
                   : adder::block * blocks;
    }

    const loop_nest& nest_;
    std::byte* scratch_;
    output_line<T, Arch> line_;
    loops outer_{};
    loops row_{};
    loops term_{};
    cursors<T>& inputs_;
    T* out_;
};

}  // namespace xeinsum::kernel
