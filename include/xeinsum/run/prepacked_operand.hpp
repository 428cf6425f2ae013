// An operand that is packed once for all runs of a plan: the weights of "btm,mhd->bthd", in panels
// of columns as deep as m is long, for every product of a batch and every piece of a split.
#pragma once

#include <xeinsum/kernel/gemm/pack.hpp>
#include <xeinsum/kernel/loop_nest.hpp>
#include <xeinsum/lowering/element_target.hpp>
#include <xeinsum/lowering/runs.hpp>
#include <xeinsum/plan/step/mode_table.hpp>
#include <xeinsum/plan/step/step.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace xeinsum::lowerings {

/// Lays out the panels of a recipe's kept input, and packs them. Of each product of the batch that
/// has matrices of its own, and there for every combination of the pieces that the matrix is cut
/// into, there is a part of recipe::kept_elements elements.
template <class T, class Arch>
class prepacked_operand {
public:
    using element = element_t<T>;

    /// Completes the recipe, which the lowering gemm has built with a kept input, and gives that
    /// input the strides from panels to panels. scratch is that of the recipe, aligned.
    prepacked_operand(recipe& how, mode_table& table, std::byte* scratch)
        : scratch_(scratch),
          column_(how.prepacked_input),
          pitch_(table.pitch()),
          source_(table.row(0), table.row(0) + table.size() * table.pitch()) {
        std::int64_t parts = 1;
        for (std::size_t c = 0; c < how.split.cuts.size(); ++c) {
            const mode_cut& cut = how.split.cuts[c];
            if (cut.pieces > 1 && cut.row >= how.groups[0] &&
                rows().stride(cut.row, column_) != 0) {
                how.kept_cuts = static_cast<unsigned char>(how.kept_cuts | 1U << c);
                parts *= cut.pieces;
            }
        }
        how_ = how;
        for_each_part([&](std::size_t, const std::vector<std::int64_t>& cells, std::int64_t) {
            how.kept_elements = std::max(how.kept_elements,
                                         prepacked_elements<T, Arch>(how, rows(cells), scratch_));
        });
        how_ = how;
        elements_ = parts * how.kept_elements;
        for (std::size_t m = table.size(); m-- > 0;) {
            std::int64_t& stride = table.stride(m, column_);
            if (m < how.groups[0] && stride != 0) {
                stride = elements_;
                elements_ *= table.extent(m);
            } else {
                stride = 0;
            }
        }
        target_.assign(table.row(0), table.row(0) + source_.size());
    }

    /// Of all parts, what packing may write behind the last one included.
    [[nodiscard]] std::size_t elements() const noexcept {
        return static_cast<std::size_t>(elements_) + kernel::pack_slack / sizeof(T) + 1;
    }

    /// Packs an input that lies as it was built for.
    void pack(const element* from, element* to) const {
        // Loops around the product that the input does not see run once.
        std::vector<std::int64_t> around = source_;
        for (std::size_t m = 0; m < how_.groups[0]; ++m) {
            if (around[m * pitch_ + 1 + column_] == 0) {
                around[m * pitch_] = 1;
            }
        }
        kernel::odometer<1> read(rows(around).first(how_.groups[0]), {column_});
        std::vector<std::int64_t> panels = target_;
        for (std::size_t m = 0; m < how_.groups[0]; ++m) {
            panels[m * pitch_] = around[m * pitch_];
        }
        kernel::odometer<1> written(rows(panels).first(how_.groups[0]), {column_});
        bool more = true;
        while (more) {
            for_each_part([&](std::size_t part, const std::vector<std::int64_t>& cells,
                              std::int64_t moved) {
                prepack<T, Arch>(
                    how_, rows(cells), from + read.offset(0) + moved,
                    to + written.offset(0) + static_cast<std::int64_t>(part) * how_.kept_elements,
                    scratch_);
            });
            static_cast<void>(read.next());
            more = written.next();
        }
    }

private:
    [[nodiscard]] kernel::loops rows() const noexcept { return rows(source_); }
    [[nodiscard]] kernel::loops rows(const std::vector<std::int64_t>& cells) const noexcept {
        return {cells.data(), pitch_, cells.size() / pitch_};
    }

    /// body(number, rows of that part, how far into the input it begins)
    template <class Body>
    void for_each_part(Body body) const {
        const auto pieces = [&](std::size_t c) {
            return (how_.kept_cuts >> c & 1U) != 0 ? how_.split.cuts[c].pieces : 1U;
        };
        for (std::size_t first = 0; first < pieces(0); ++first) {
            for (std::size_t second = 0; second < pieces(1); ++second) {
                std::vector<std::int64_t> cells = source_;
                std::int64_t moved = 0;
                const std::array<std::size_t, 2> piece{first, second};
                for (std::size_t c = 0; c < piece.size(); ++c) {
                    if ((how_.kept_cuts >> c & 1U) != 0) {
                        const mode_cut& cut = how_.split.cuts[c];
                        std::int64_t* row = cells.data() + cut.row * pitch_;
                        const std::int64_t begin = cut.begin(piece[c], row[0]);
                        row[0] = cut.begin(piece[c] + 1, row[0]) - begin;
                        moved += begin * row[1 + column_];
                    }
                }
                body(first * pieces(1) + second, cells, moved);
            }
        }
    }

    recipe how_{};
    std::byte* scratch_;
    std::size_t column_;
    std::size_t pitch_;
    std::vector<std::int64_t> source_;    ///< rows with the strides of the input
    std::vector<std::int64_t> target_{};  ///< the same with the strides of the panels
    std::int64_t elements_ = 0;
};

}  // namespace xeinsum::lowerings
