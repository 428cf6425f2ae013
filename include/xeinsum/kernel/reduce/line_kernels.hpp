// What adds up lines of one kind: for "ij,j->i" the rows of i with the line of j that all of them
// share, for "ij,ij->i" each row of both.
#pragma once

#include <xeinsum/kernel/cursors.hpp>
#include <xeinsum/kernel/reduce/lane_sums.hpp>
#include <xeinsum/kernel/reduce/line_sums.hpp>
#include <xeinsum/kernel/reduce/packed_lines.hpp>
#include <xeinsum/kernel/reduce/product.hpp>
#include <xeinsum/kernel/reduce/shared_line.hpp>
#include <xeinsum/kernel/reduce/short_lines.hpp>
#include <xeinsum/kernel/scaling.hpp>
#include <xeinsum/kernel/simd/simd.hpp>

#include <cstddef>
#include <cstdint>

namespace xeinsum::kernel {

/// How lines of inputs of one kind are added up, for rows from one to before another. The sums are
/// written to a panel, or added.
template <class T, class Arch>
struct line_kernels {
    using reg = typename simd<T, Arch>::type;
    using function = void (*)(const cursors<T>&, std::int64_t extent, reg* panel, std::int64_t row,
                              std::int64_t end, bool first);

    /// A register for each row; null where one line is always that of all rows.
    function add;
    /// The same where one line is that of all rows, for some of them together or one by one; null
    /// of other kinds.
    void (*add_shared)(const cursors<T>&, std::int64_t extent, reg* panel, std::int64_t row,
                       std::int64_t end, bool first, bool together);
    /// The extent up to which lines are short, from caches and from DRAM.
    std::int64_t most_short;
    std::int64_t most_short_from_dram;
    /// A lane for each row, of short lines, which are to be prefetched or not.
    void (*add_short)(const cursors<T>&, std::int64_t extent, reg* panel, std::int64_t row,
                      std::int64_t end, bool first, bool prefetches);
    /// A register for some rows, of inputs that are DRAM-resident or not; null where there are
    /// none.
    void (*add_packed)(const cursors<T>&, std::int64_t extent, reg* panel, std::int64_t row,
                       std::int64_t end, bool first, bool dram_resident);
    /// Puts the sums of so many rows that have no other terms. Null where the panel has to do.
    void (*put_packed)(const cursors<T>&, std::int64_t extent, std::int64_t rows, T* to,
                       std::int64_t step, const scaling<T>&, bool dram_resident);
    /// Puts what add_packed has added up; null where that is.
    void (*put_groups)(const reg* panel, std::int64_t rows, std::int64_t extent, T* to,
                       std::int64_t step, const scaling<T>&);
};

/// Those of such inputs. Rows of two lines may Follow each other in both, or lie Apart in both, or
/// one line is that of all rows.
template <class T, class Arch, std::size_t Units, std::size_t Fixed, bool Follow = true,
          bool Apart = true>
class line_kernels_of {
    using factors = product<T, Arch, Units, Fixed>;
    using reg = typename factors::reg;
    using packed = packed_lines<T, Arch, Units, Fixed>;
    using function = typename line_kernels<T, Arch>::function;
    static constexpr bool packs = Follow && packed::exists;

    static void add(const cursors<T>& inputs, std::int64_t extent, reg* panel, std::int64_t row,
                    std::int64_t end, bool first) {
        line_sums<T, Arch, Units, Fixed>(extent).add(factors(inputs), panel, row, end, first);
    }
    static void add_short(const cursors<T>& inputs, std::int64_t extent, reg* panel,
                          std::int64_t row, std::int64_t end, bool first, bool prefetches) {
        const auto sum = [&]<class Lines>(std::size_t i, std::size_t j) {
            Lines(inputs[i].at, inputs[i].row, inputs[j].at, inputs[j].row, extent, prefetches)
                .add(panel, row, end - row, first);
        };
        if constexpr (Units == 1) {
            sum.template operator()<short_kind<factors_of_lines::one>>(0, 0);
        } else if (inputs[0].row == 0 || inputs[1].row == 0) {
            const std::size_t second = inputs[1].row == 0 ? 1 : 0;
            sum.template operator()<short_kind<factors_of_lines::shared>>(1 - second, second);
        } else {
            sum.template operator()<short_kind<factors_of_lines::two>>(0, 1);
        }
    }
    static void add_shared(const cursors<T>& inputs, std::int64_t extent, reg* panel,
                           std::int64_t row, std::int64_t end, bool first, bool together) {
        const bool second = inputs[0].row == 0;
        const cursor<T>& others = inputs[second ? 1 : 0];
        const shared_line<T, Arch> line(inputs[second ? 0 : 1].at, extent);
        const T* from = others.at + row * others.row;
        if (together) {
            line.add_together(from, others.row, end - row, panel, first);
        } else {
            line.add(from, others.row, end - row, panel, first);
        }
    }
    static void add_packed(const cursors<T>& inputs, std::int64_t extent, reg* panel,
                           std::int64_t row, std::int64_t end, bool first, bool dram_resident) {
        packed::add(factors(inputs), extent, panel, row, end, first, dram_resident);
    }

    static void put_packed(const cursors<T>& inputs, std::int64_t extent, std::int64_t rows, T* to,
                           std::int64_t step, const scaling<T>& scale, bool dram_resident) {
        packed::put(factors(inputs), extent, rows, to, step, scale, dram_resident);
    }

    [[nodiscard]] static constexpr function apart() {
        if constexpr (Apart) {
            return add;
        } else {
            return nullptr;
        }
    }
    [[nodiscard]] static constexpr auto shared() -> decltype(&add_shared) {
        if constexpr (Units == 2 && Fixed == 0) {
            return add_shared;
        } else {
            return nullptr;
        }
    }
    template <factors_of_lines Factors>
    using short_kind = short_lines<T, Arch, Factors>;
    static constexpr bool has_short =
        (Units == 1 || Units == 2) && Fixed == 0 && short_kind<factors_of_lines::one>::exists;
    [[nodiscard]] static constexpr std::int64_t most_short(bool dram_resident) {
        return !has_short   ? 0
               : Units == 1 ? short_kind<factors_of_lines::one>::most_elements(dram_resident)
                            : short_kind<factors_of_lines::two>::most_elements(dram_resident);
    }
    [[nodiscard]] static constexpr auto in_lanes() -> decltype(&add_short) {
        if constexpr (has_short) {
            return add_short;
        } else {
            return nullptr;
        }
    }
    [[nodiscard]] static constexpr auto several() -> decltype(&add_packed) {
        if constexpr (packs) {
            return add_packed;
        } else {
            return nullptr;
        }
    }

    [[nodiscard]] static constexpr auto straight() -> decltype(&put_packed) {
        if constexpr (packs && Units < 3) {
            return put_packed;
        } else {
            return nullptr;
        }
    }
    [[nodiscard]] static constexpr auto groups() -> decltype(line_kernels<T, Arch>::put_groups) {
        if constexpr (packs) {
            return put_group_sums<T, Arch>;
        } else {
            return nullptr;
        }
    }

public:
    static constexpr line_kernels<T, Arch> all{apart(),          shared(),   most_short(false),
                                               most_short(true), in_lanes(), several(),
                                               straight(),       groups()};
};

}  // namespace xeinsum::kernel
