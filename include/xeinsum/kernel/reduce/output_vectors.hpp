// A nest whose lanes are neighbouring results: "bld,dn->bldn" and "i,ij->j" run in vectors of n and
// of j.
#pragma once

#include <xeinsum/kernel/memory/cache.hpp>
#include <xeinsum/kernel/memory/prefetch.hpp>
#include <xeinsum/kernel/permute/line_writer.hpp>
#include <xeinsum/kernel/reduce/cascade.hpp>
#include <xeinsum/kernel/reduce/counted_products.hpp>
#include <xeinsum/kernel/reduce/output_line.hpp>
#include <xeinsum/kernel/reduce/output_products.hpp>
#include <xeinsum/kernel/reduce/product.hpp>
#include <xeinsum/kernel/reduce/term_blocks.hpp>
#include <xeinsum/kernel/reduce/term_sums.hpp>
#include <xeinsum/kernel/scaling.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>

namespace xeinsum::kernel {

/// How lines of results of inputs of one kind are computed.
template <class T, class Arch>
struct output_kernels {
    using line = output_line<T, Arch>;
    using reg = typename line::reg;

    /// Products of any lines.
    void (*write_products)(const cursors<T>&, const line&, const product_block&, reg* values);

    // Null, and one, of kinds that the run counts.

    /// Products to lines that are not scaled.
    void (*put_products)(const cursors<T>&, std::int64_t extent, const product_rows<T>&);
    /// The same by non-temporal stores.
    void (*stream_products)(const cursors<T>&, std::int64_t extent, const product_rows<T>&);
    /// Sums of terms; null, too, where nothing is summed.
    void (*add_terms)(const cursors<T>&, const line&, const sums_block&, const sums_target<T, reg>&,
                      const terms_prefetch&);
    std::int64_t block;  ///< terms of a block
    summed_at_once at_once;
};

/// Those of such inputs, with Sums or without.
template <class T, class Arch, std::size_t Units, std::size_t Fixed, bool Sums = true>
class output_kernels_of {
    using products = output_products<T, Arch, Units, Fixed>;

    [[nodiscard]] static constexpr output_kernels<T, Arch> make() {
        if constexpr (Units == any) {
            return {write_counted_products<T, Arch>,
                    nullptr,
                    nullptr,
                    nullptr,
                    most_streams(any),
                    {1, 1}};
        } else if constexpr (Sums) {
            using sums = term_sums<T, Arch, Units, Fixed>;
            return {products::write, products::put, products::stream,
                    sums::add,       sums::block,   sums::at_once};
        } else {
            return {products::write, products::put, products::stream, nullptr, 1, {1, 1}};
        }
    }

public:
    static constexpr output_kernels<T, Arch> all = make();
};

/// Sums of short lines and not too many terms stay in registers, see term_sums. Others wait in a
/// panel of registers until they are finished:
///
///     panel    rows x (extent of the vector loop), whole registers; of inputs in DRAM a larger one
///     adds     blocks of four or eight terms, so that as many lines of memory are read as streams,
///              some registers of each, and the panel is touched little; of a short line all blocks
///              of a level at once
///     levels   sixteen such blocks are passed on to the next panel, see cascade
///
/// beta = 0 does not read the output.
template <class T, class Arch>
class output_vectors {
public:
    /// The output loops have the vector loop last. Scratch has panel_scratch_bytes(...) bytes,
    /// aligned to 64.
    output_vectors(const loop_nest& nest, const output_kernels<T, Arch>& kernels,
                   cursors<T>& inputs, const T* const* from, T* out, const scaling<T>& scale,
                   std::byte* scratch)
        : nest_(nest),
          kernels_(kernels),
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
    void run_products() {
        using target = product_output<T, Arch>;
        using streaming = typename target::streaming;
        const bool has_kernels = line_.scale().is_identity() && kernels_.put_products != nullptr;
        const streaming streams =
            has_kernels ? target::streams(line_, nest_, out_) : streaming::none;
        if (streams == streaming::together) {
            inputs_.for_each_output(outer_, [&](std::int64_t out) {
                inputs_.for_each_term({}, [&] { stream_together(out_ + out); });
            });
            simd_type::end_stream();
            return;
        }
        const bool prefetches = target::prefetches(line_, nest_);
        const bool plain = has_kernels && !prefetches;
        const auto put =
            streams == streaming::rows ? kernels_.stream_products : kernels_.put_products;
        // Kernels run on the loop around the rows, too, which may be short.
        const std::size_t around = outer_.count - (plain && outer_.count > 0 ? 1 : 0);
        const loops planes = outer_.from(around);
        inputs_.for_each_output(outer_.first(around), [&](std::int64_t out) {
            inputs_.for_each_term({}, [&] {
                if (plain) {
                    put(inputs_, line_.extent(), {out_ + out, row_step(), row_count(), planes});
                } else {
                    put_rows(out_ + out, prefetches);
                }
            });
        });
        if (streams == streaming::rows) {
            simd_type::end_stream();
        }
    }

    void run() {
        if (term_.count == 0) {
            run_products();
            return;
        }
        const std::int64_t rows = row_count();
        const std::int64_t terms = term_.extent(0);
        const std::int64_t registers = line_.registers();
        const std::int64_t level = level_blocks * kernels_.block;
        const bool by_row = adds_row_by_row();
        const bool puts = kernels_.add_terms != nullptr && by_row && nest_.contracted.count == 1 &&
                          terms <= level && line_.scale().is_identity();
        const std::int64_t most = panel_memory<reg>::most(nest_.dram_resident);
        const std::int64_t wide = std::min(registers, most);
        // Rows in a panel: such that their sums take more time than to begin them.
        constexpr std::int64_t several = 16;
        const std::int64_t room = most / kernels_.at_once.pitch(wide);
        const std::int64_t high = rows_inside_terms()           ? room
                                  : by_row && terms < 4 * level ? std::min(several, room)
                                                                : 1;
        inputs_.for_each_output(outer_, [&](std::int64_t out) {
            if (puts) {
                inputs_.for_each_term({}, [&] {
                    kernels_.add_terms(inputs_, line_, {0, rows, 0, registers, 0, terms},
                                       {out_ + out, row_step(), nullptr, true}, {0, is_masked()});
                });
                return;
            }
            for (std::int64_t row = 0; row < rows; row += high) {
                for (std::int64_t begin = 0; begin < registers; begin += wide) {
                    sum_panel(out,
                              {row, std::min(row + high, rows), begin,
                               std::min(begin + wide, registers), 0, 0},
                              by_row || registers > kernels_.at_once.most ? level_blocks : 1);
                }
            }
        });
    }

private:
    using simd_type = simd<T, Arch>;
    using reg = typename simd_type::type;
    using sums_panel = lent_cascade<reg, simd_type>;
    /// Registers of products that wait in memory.
    static constexpr std::int64_t few_registers = 64;

    /// Whether lines are parts of a register, which are read through masks that no hardware
    /// prefetches.
    [[nodiscard]] bool is_masked() const {
        return simd_type::loads_by_mask && nest_.dram_resident && line_.whole() == 0;
    }

    [[nodiscard]] std::int64_t row_count() const { return row_.count == 0 ? 1 : row_.extent(0); }
    /// From one row of the output to the next.
    [[nodiscard]] std::int64_t row_step() const { return row_.count == 0 ? 0 : row_.stride(0, 0); }

    /// Whether rows lie closer to each other than terms, so that a panel should hold many.
    [[nodiscard, gnu::noinline]] bool rows_inside_terms() const {
        std::int64_t row = 0;
        std::int64_t term = 0;
        for (std::size_t i = 0; i < inputs_.size(); ++i) {
            row = std::max(row, std::abs(inputs_[i].row));
            term = std::max(term, std::abs(inputs_[i].term));
        }
        return row_.count > 0 && row < term;
    }

    /// Whether the sums of a row take all terms before those of the next.
    [[nodiscard]] bool adds_row_by_row() const {
        if (line_.registers() > kernels_.at_once.most) {
            return false;
        }
        line_terms l{line_.registers(), term_.extent(0), kernels_.block, rows_inside_terms()};
        for (std::size_t i = 0; l.rows_inside && i < inputs_.size(); ++i) {
            const std::int64_t bytes = inputs_[i].term * static_cast<std::int64_t>(sizeof(T));
            l.held = l.held && sets_hold(l.terms, bytes);
        }
        return kernel::adds_row_by_row(l);
    }

    /// Rows of products that follow each other in the output, in whole cache lines: what does not
    /// fill one waits for the next rows.
    [[gnu::noinline]] void stream_together(T* out) const {
        constexpr std::int64_t most = product_output<T, Arch>::rows_together;
        constexpr auto line = static_cast<std::int64_t>(line_elements<T>);
        alignas(line_bytes) std::array<T, static_cast<std::size_t>(most + line)> waiting;
        const std::int64_t extent = line_.extent();
        const std::int64_t rows = row_count();
        std::size_t count = 0;
        for (std::int64_t row = 0; row < rows;) {
            const std::int64_t high = std::min(most / extent, rows - row);
            kernels_.put_products(inputs_, extent, {waiting.data() + count, extent, high, {}, row});
            row += high;
            count = stream_whole_lines<T, Arch>(waiting.data(),
                                                count + static_cast<std::size_t>(high * extent),
                                                out + row * extent, row == rows);
        }
    }

    /// Products of any lines and scaling: some at a time wait in registers.
    [[gnu::noinline]] void put_rows(T* out, bool prefetches) const {
        reg values[few_registers];
        const std::int64_t registers = line_.registers();
        const std::int64_t wide = std::min(registers, few_registers);
        const std::int64_t high = few_registers / wide;
        const std::int64_t step = row_step();
        for (std::int64_t row = 0; row < row_count(); row += high, out += high * step) {
            const std::int64_t rows = std::min(high, row_count() - row);
            if (prefetches) {
                prefetch_behind<true>(out,
                                      static_cast<std::size_t>(std::abs(rows * step)) * sizeof(T));
            }
            for (std::int64_t begin = 0; begin < registers; begin += wide) {
                const std::int64_t end = std::min(begin + wide, registers);
                kernels_.write_products(inputs_, line_,
                                        {row, 0, rows, begin, end, false, prefetches}, values);
                line_.put(out, step, rows, begin, end, values, end - begin);
            }
        }
    }

    /// Adds terms to a panel, or begins it, as term_sums does.
    [[gnu::noinline]] void add_products(const sums_block& b, reg* panel, bool first) const {
        reg values[few_registers];
        const std::int64_t wide = few_registers / std::min(kernels_.block, b.term_end - b.term);
        for (std::int64_t row = b.row; row < b.row_end; ++row) {
            for (std::int64_t v = b.begin; v < b.end; v += wide) {
                const std::int64_t end = std::min(v + wide, b.end);
                std::int64_t terms = 0;
                for (std::int64_t term = b.term; term < b.term_end; term += terms) {
                    terms = block_size(kernels_.block, b.term_end - term);
                    kernels_.write_products(inputs_, line_, {row, term, terms, v, end, true},
                                            values);
                    add(panel, values, end - v, terms, first && term == b.term);
                }
                panel += end - v;
            }
        }
    }
    /// Adds the sums of terms of some registers, or begins with them.
    [[gnu::noinline]] static void add(reg* to, const reg* from, std::int64_t registers,
                                      std::int64_t terms, bool first) {
        for (std::int64_t r = 0; r < registers; ++r) {
            reg sum = from[r];
            for (std::int64_t t = 1; t < terms; ++t) {
                sum = simd_type::add(sum, from[t * registers + r]);
            }
            to[r] = first ? sum : simd_type::add(to[r], sum);
        }
    }

    /// Sums rows of a block, of all terms: as many blocks of them at once as given, or fewer.
    [[gnu::noinline]] void sum_panel(std::int64_t out, sums_block b, std::int64_t at_once) {
        const std::int64_t rows = b.row_end - b.row;
        const std::int64_t pitch = kernels_.at_once.pitch(b.end - b.begin);
        const auto registers = static_cast<std::size_t>(rows * pitch);
        panel_memory<reg> memory(nest_.dram_resident, scratch_);
        sums_panel panel(memory.levels(registers));
        const std::int64_t terms = term_.extent(0);
        const terms_prefetch prefetch{terms_ahead(registers), is_masked()};
        const std::int64_t block = kernels_.block;
        inputs_.for_each_term(nest_.contracted.first(nest_.contracted.count - 1), [&] {
            for (b.term = 0; b.term < terms; b.term = b.term_end) {
                const std::int64_t left = terms - b.term;
                const std::int64_t room = std::min(panel.room(), at_once);
                const std::int64_t blocks = std::min(block_count(block, left), room);
                b.term_end = b.term + std::min(blocks * block, left);
                if (kernels_.add_terms != nullptr) {
                    kernels_.add_terms(inputs_, line_, b,
                                       {nullptr, 0, panel.block(), panel.is_first()}, prefetch);
                } else {
                    add_products(b, panel.block(), panel.is_first());
                }
                panel.end_block(registers, blocks);
            }
        });
        line_.put(out_ + out + b.row * row_step(), row_step(), rows, b.begin, b.end,
                  panel.total(registers), pitch);
    }

    /// How many terms ahead is prefetched: those of the next block of lines of so many registers,
    /// but at least 4 KiB away. 0 for what hardware prefetches itself: lines that are so short, or
    /// read from end to end, or, with the registers of machines whose prefetchers follow many, so
    /// long.
    [[nodiscard]] std::int64_t terms_ahead(std::size_t registers) const {
        constexpr std::int64_t distance = 4096;
        constexpr std::int64_t short_line = 512;
        constexpr std::int64_t long_line =
            sizeof(reg) > 32 ? std::numeric_limits<std::int64_t>::max() : 4096;
        const auto bytes = static_cast<std::int64_t>(registers * sizeof(reg));
        const bool is_whole = line_.registers() <= kernels_.at_once.most && !rows_inside_terms();
        if (!nest_.dram_resident || is_whole || bytes < short_line || bytes >= long_line ||
            (cores<Arch>::measured().prefetches_streams && line_.registers() >= direct_registers)) {
            return 0;
        }
        const std::int64_t blocks = std::max<std::int64_t>(distance / (kernels_.block * bytes), 1);
        return kernels_.block * blocks;
    }

    const loop_nest& nest_;
    const output_kernels<T, Arch>& kernels_;
    std::byte* scratch_;
    output_line<T, Arch> line_;
    loops outer_{};
    loops row_{};
    loops term_{};
    cursors<T>& inputs_;
    T* out_;
};

}  // namespace xeinsum::kernel
