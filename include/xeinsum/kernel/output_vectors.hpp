// A nest whose lanes are neighbouring results: "bld,dn->bldn" and "i,ij->j" run in vectors of n and
// of j.
#pragma once

#include <xeinsum/kernel/cache.hpp>
#include <xeinsum/kernel/cascade.hpp>
#include <xeinsum/kernel/direct_sums.hpp>
#include <xeinsum/kernel/output_line.hpp>
#include <xeinsum/kernel/output_products.hpp>
#include <xeinsum/kernel/panel_terms.hpp>
#include <xeinsum/kernel/product.hpp>
#include <xeinsum/kernel/scaling.hpp>
#include <xeinsum/kernel/term_blocks.hpp>
#include <xeinsum/kernel/whole_lines.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace xeinsum::kernel {

/// Sums that are not finished wait in a panel of registers:
///
///     panel    rows x (extent of the vector loop), whole registers; of far inputs a larger one
///     adds     the products of four or eight terms at once, so that as many lines of memory are
///              read as streams, some registers of each, and the panel is touched little; one line
///              behind the other where registers hold a whole one, see whole_lines
///     levels   sixteen such blocks are passed on to the next panel, see cascade
///
/// While a block of terms is added, what the next one reads is fetched if the inputs are far.
/// Inputs are read at whole registers only: the last register of a line starts where it still ends
/// inside, and only its last lanes count. beta = 0 does not read the output.
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
        if constexpr (factors::known) {
            if (is_direct()) {
                run_rows(direct_sums<T, Arch, Units, Fixed>(line_, term_.extent(0), nest_.far));
                return;
            }
        }
        const std::int64_t rows = row_count();
        const std::int64_t registers = line_.registers();
        const std::int64_t most = panel_memory<reg>::most(nest_.far);
        const std::int64_t wide = std::min(registers, most);
        const std::int64_t high = rows_inside_terms() ? std::min(rows, most / wide) : 1;
        inputs_.for_each_output(outer_, [&](std::int64_t out) {
            for (std::int64_t row = 0; row < rows; row += high) {
                for (std::int64_t begin = 0; begin < registers; begin += wide) {
                    sum_panel(out, {row, std::min(row + high, rows), begin,
                                    std::min(begin + wide, registers)});
                }
            }
        });
    }

private:
    using simd_type = simd<T, Arch>;
    using reg = typename simd_type::type;
    using factors = product<T, Arch, Units, Fixed>;
    using lines = whole_lines<T, Arch, Units, Fixed>;
    static constexpr bool has_lines = lines::most_registers >= lines::least_registers;
    static constexpr std::size_t lanes = simd_type::lanes;
    static constexpr auto width = static_cast<std::int64_t>(lanes);
    using panel_adder = panel_terms<T, Arch, Units, Fixed>;
    static constexpr std::int64_t streams = panel_adder::streams;
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

    /// Runs a kernel that needs no panel on all rows of each outer iteration.
    template <class Kernel>
    void run_rows(const Kernel& kernel) {
        inputs_.for_each_output(outer_, [&](std::int64_t out) {
            inputs_.for_each_term(
                {}, [&] { kernel.run(inputs_, out_ + out, row_step(), row_count()); });
        });
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

    /// Whether lines are read whole, one row after the other. The order of sums is the same.
    [[nodiscard]] bool reads_whole_lines() const {
        return line_.registers() >= lines::least_registers &&
               line_.registers() <= lines::most_registers && !rows_inside_terms();
    }

    /// Whether direct_sums adds the same blocks, and better.
    [[nodiscard]] bool is_direct() const {
        if (nest_.contracted.count > 1) {
            return false;
        }
        line_terms l{line_.registers(), term_.extent(0), Units, rows_inside_terms()};
        for (std::size_t i = 0; i < inputs_.size(); ++i) {
            const std::int64_t bytes = inputs_[i].term * static_cast<std::int64_t>(sizeof(T));
            l.held = l.held && sets_hold(l.terms, bytes);
        }
        return are_direct(l);
    }

    void sum_panel(std::int64_t out, const panel_block& b) {
        const auto registers = static_cast<std::size_t>((b.row_end - b.row) * (b.end - b.begin));
        panel_memory<reg> memory(nest_.far, scratch_);
        sums_panel panel(memory.levels(registers));
        const std::int64_t terms = term_.extent(0);
        const bool whole = reads_whole_lines();
        const panel_adder adder(line_, inputs_, b.row_end - b.row > 1, nest_.far);
        const bool foreseen =
            core_of<Arch>.prefetches_streams &&
            (line_.registers() >= panel_adder::line_registers || adder.follows_rows());
        const std::int64_t ahead = nest_.far && !foreseen ? terms_ahead(registers, whole) : 0;
        inputs_.for_each_term(nest_.contracted.first(nest_.contracted.count - 1), [&] {
            const factors f(inputs_);
            if constexpr (has_lines) {
                if (whole) {
                    const lines all(f, line_.extent(), ahead);
                    all.template add<streams>(b.row, terms, panel,
                                              static_cast<std::int64_t>(registers));
                    return;
                }
            }
            for_each_block<streams>(terms, [&]<std::int64_t Terms>(std::int64_t term) {
                const bool fetches = ahead > 0 && term + ahead + streams <= terms;
                adder.template add<Terms>(f, panel.block(), b, term, panel.is_first(),
                                          fetches ? ahead : 0);
                panel.end_block(registers);
            });
        });
        const reg* sums = panel.total(registers);
        for (std::int64_t row = b.row; row < b.row_end; ++row) {
            T* line = out_ + out + row * row_step();
            std::int64_t v = b.begin;
            if (line_.scale().is_identity()) {
                for (; v < std::min(b.end, line_.whole()); ++v) {
                    simd_type::store(line + v * width, *sums++);
                }
            }
            for (; v < b.end; ++v) {
                line_.put(line, v, *sums++);
            }
        }
    }

    /// How far behind a block of terms what is fetched while it is added begins: at the next block
    /// of lines of so many registers, but at least 4 KiB away; of whole lines, which follow each
    /// other, no farther than that. 0 for what machines foresee themselves: lines that are so
    /// short, or, with the registers of those that foresee many, so long.
    [[nodiscard]] std::int64_t terms_ahead(std::size_t registers, bool whole) const {
        constexpr std::int64_t distance = 4096;
        constexpr std::int64_t short_line = 512;
        constexpr std::int64_t long_line =
            sizeof(reg) > 32 ? std::numeric_limits<std::int64_t>::max() : 4096;
        const auto bytes = static_cast<std::int64_t>(registers * sizeof(reg));
        if (bytes < short_line || bytes >= long_line) {
            return 0;
        }
        const std::int64_t blocks = std::max<std::int64_t>(distance / (streams * bytes), 1);
        return whole ? std::min(streams * blocks, distance / bytes) : streams * blocks;
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
