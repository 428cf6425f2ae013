// A step in pieces: "ij,jk->ik" cut between rows is the same product twice, with half the extent of
// i and the pointers moved; cut between terms, every piece has a sum of its own, added up at the
// end.
#pragma once

#include <xeinsum/kernel/cursors.hpp>
#include <xeinsum/kernel/loop_nest.hpp>
#include <xeinsum/kernel/permute/line_writer.hpp>
#include <xeinsum/kernel/scaling.hpp>
#include <xeinsum/plan/step/split.hpp>
#include <xeinsum/plan/step/step.hpp>
#include <xeinsum/run/parallel.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace xeinsum::lowerings {

/// A split for arrays that lie otherwise than planned, in the memory of the planned one. Whether
/// sums are cut, and where, still does not depend on the number of threads.
[[nodiscard]] constexpr work_split within(work_split split, const work_split& planned) noexcept {
    if (split.partial_bytes > planned.partial_bytes) {
        return {};
    }
    split.workers = std::min(split.workers, planned.workers);
    return split;
}

/// What runs a recipe, or a piece of it, on elements of T, with scratch memory of its own.
template <class T>
using recipe_runner = void (*)(const recipe&, const kernel::loops&, std::size_t inputs,
                               const T* const* from, T* out, const kernel::scaling<T>&,
                               std::byte* scratch);

/// Runs a step that is cut.
template <class T, class Arch>
class piecewise_run {
public:
    /// Memory is that of the recipe, aligned.
    piecewise_run(recipe_runner<T> run_recipe, const recipe& how, const kernel::loops& rows,
                  std::size_t inputs, const T* const* from, T* out, const kernel::scaling<T>& scale,
                  std::byte* memory)
        : run_recipe_(run_recipe),
          how_(how),
          rows_(rows),
          inputs_(inputs),
          from_(from),
          out_(out),
          scale_(scale),
          scratch_(memory),
          partials_(memory + how.split.workers * planning::align_up(how.scratch_bytes)),
          partial_bytes_(how.split.partial_bytes / how.split.pieces()) {
        if (how.split.between_terms) {
            lay_out_partials();
        }
    }

    void run(const parallel_for& parallel) const {
        run_parallel(parallel, how_.split.workers,
                     {this, [](const void* self, std::size_t worker) {
                          static_cast<const piecewise_run*>(self)->work(worker);
                      }});
        if (how_.split.between_terms) {
            add_up();
        }
    }

private:
    using table = std::array<std::int64_t, planning::most_split_cells>;

    /// The pieces of one worker, in its scratch.
    void work(std::size_t worker) const {
        const work_split& split = how_.split;
        for (std::size_t p = worker; p < split.pieces(); p += split.workers) {
            table cells;
            copy_rows(cells);
            std::array<const T*, planning::most_split_inputs> from;
            std::copy_n(from_, inputs_, from.begin());
            T* out = split.between_terms ? partial(p) : out_;
            const std::array<std::size_t, 2> piece{p % split.cuts[0].pieces,
                                                   p / split.cuts[0].pieces};
            for (std::size_t c = 0; c < piece.size(); ++c) {
                if (split.cuts[c].pieces > 1) {
                    out += take(cells, from, split.cuts[c], piece[c]);
                }
            }
            if (how_.prepacked_input > 0) {
                from[input_column(how_.prepacked_input - 1U)] += kept_part(split, piece);
            }
            run_recipe_(how_, {cells.data(), rows_.pitch, rows_.count}, inputs_, from.data(), out,
                        split.between_terms ? kernel::scaling<T>() : scale_,
                        scratch_ + worker * planning::align_up(how_.scratch_bytes));
        }
    }

    /// Leaves one piece of a mode in the table; returns how far the output moves.
    [[gnu::noinline]] std::int64_t take(table& cells,
                                        std::array<const T*, planning::most_split_inputs>& from,
                                        const mode_cut& cut, std::size_t piece) const {
        std::int64_t* row = cells.data() + cut.row * rows_.pitch;
        const std::int64_t begin = cut.begin(piece, row[0]);
        row[0] = cut.begin(piece + 1, row[0]) - begin;
#pragma GCC unroll 1
        for (std::size_t i = 0; i < inputs_; ++i) {
            from[i] += begin * row[2 + input_column(i)];
        }
        return begin * row[1];
    }

    /// Lowerings that exchange their operands have exchanged the columns of the table.
    [[nodiscard]] std::size_t input_column(std::size_t i) const {
        return how_.swapped ? 1 - i : i;
    }

    /// Where the panels of a piece begin, of an input that is packed before the run.
    [[nodiscard]] std::int64_t kept_part(const work_split& split,
                                         const std::array<std::size_t, 2>& piece) const {
        std::size_t part = 0;
        for (std::size_t c = 0; c < piece.size(); ++c) {
            if ((how_.kept_cuts >> c & 1U) != 0) {
                part = part * split.cuts[c].pieces + piece[c];
            }
        }
        return static_cast<std::int64_t>(part) * how_.kept_elements;
    }

    void copy_rows(table& cells) const {
        std::copy_n(rows_.rows, rows_.count * rows_.pitch, cells.begin());
        if (how_.split.between_terms) {
#pragma GCC unroll 1
            for (std::size_t m = 0; m < rows_.count; ++m) {
                cells[m * rows_.pitch + 1] = partial_strides_[m];
            }
        }
    }

    // --- sums of pieces ---------------------------------------------------------------------

    [[nodiscard]] T* partial(std::size_t p) const {
        return reinterpret_cast<T*>(partials_ + p * partial_bytes_);
    }

    /// A sum lies without gaps, side by side where the output does.
    void lay_out_partials() {
        std::int64_t stride = 1;
        for (const bool side_by_side : {true, false}) {
            for (std::size_t m = rows_.count; m-- > 0;) {
                if (rows_.stride(m, 0) == 0) {
                    partial_strides_[m] = 0;
                } else if ((rows_.stride(m, 0) == 1) == side_by_side) {
                    partial_strides_[m] = stride;
                    stride *= rows_.extent(m);
                }
            }
        }
        partial_elements_ = stride;
    }

    /// out = scale(the sum of all pieces, in their order).
    void add_up() const {
        T* const sum = partial(0);
        const auto adding = kernel::scaling<T>().accumulating();
        const kernel::line_writer<T, Arch> adder(adding, false);
        for (std::size_t p = 1; p < how_.split.pieces(); ++p) {
            adder.write(partial(p), sum, static_cast<std::size_t>(partial_elements_));
        }
        // What lies side by side in both is a line.
        table cells;
        std::size_t count = 0;
        std::size_t line = 1;
        for (std::size_t m = 0; m < rows_.count; ++m) {
            if (rows_.stride(m, 0) == 1 && partial_strides_[m] == 1) {
                line = static_cast<std::size_t>(rows_.extent(m));
            } else if (rows_.stride(m, 0) != 0) {
                std::int64_t* row = cells.data() + count++ * places_pitch;
                row[0] = rows_.extent(m);
                row[1] = rows_.stride(m, 0);
                row[2] = partial_strides_[m];
            }
        }
        const kernel::line_writer<T, Arch> writer(scale_, false);
        kernel::odometer<2> place({cells.data(), places_pitch, count}, {0, 1});
        do {
            writer.write(sum + place.offset(1), out_ + place.offset(0), line);
        } while (place.next());
    }

    static constexpr std::size_t places_pitch = 3;  // extent, stride in the output, in a sum

    const recipe_runner<T> run_recipe_;
    const recipe& how_;
    const kernel::loops rows_;
    const std::size_t inputs_;
    const T* const* const from_;
    T* const out_;
    const kernel::scaling<T>& scale_;
    std::byte* const scratch_;
    std::byte* const partials_;
    const std::size_t partial_bytes_;
    std::array<std::int64_t, max_modes> partial_strides_;
    std::int64_t partial_elements_ = 1;
};

}  // namespace xeinsum::lowerings
