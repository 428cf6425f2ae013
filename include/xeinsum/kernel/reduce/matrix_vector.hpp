// A matrix times a vector: "ij,j->i" loads each register of j once for eight rows i, "j,jk->k" adds
// eight rows j at a time to results k that stay in the first-level cache.
#pragma once

#include <xeinsum/kernel/loop_nest.hpp>
#include <xeinsum/kernel/memory/cache.hpp>
#include <xeinsum/kernel/permute/line_writer.hpp>
#include <xeinsum/kernel/reduce/cascade.hpp>
#include <xeinsum/kernel/reduce/lane_sums.hpp>
#include <xeinsum/kernel/reduce/nest_shapes.hpp>
#include <xeinsum/kernel/reduce/shared_line.hpp>
#include <xeinsum/kernel/reduce/short_lines.hpp>
#include <xeinsum/kernel/reduce/sum_lines.hpp>
#include <xeinsum/kernel/scaling.hpp>
#include <xeinsum/kernel/simd/element.hpp>
#include <xeinsum/kernel/simd/opaque.hpp>
#include <xeinsum/kernel/simd/simd.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace xeinsum::kernel {

/// A product of two arrays with at most one loop of each kind: results of the matrix alone, of the
/// vector alone, and terms. Loops that are missing have extent 1.
template <class T, class Arch>
class matrix_vector_run {
public:
    /// The output loops have last the one whose results are computed together, of the matrix.
    matrix_vector_run(const loops& output, const loops& terms, const T* const* from, T* out,
                      const scaling<T>& scale) noexcept
        : out_(out), scale_(scale) {
        std::size_t matrix = 1;
        if (output.count > 0) {
            const std::size_t last = output.count - 1;
            matrix = output.stride(last, 1) != 0 ? 1 : 2;
            results_ = output.extent(last);
            matrix_step_ = output.stride(last, matrix);
            out_step_ = output.stride(last, 0);
        }
        const std::size_t vector = 3 - matrix;
        if (output.count > 1) {
            rows_ = output.extent(0);
            vector_row_ = output.stride(0, vector);
            out_row_ = output.stride(0, 0);
        }
        if (terms.count > 0) {
            terms_ = terms.extent(0);
            matrix_term_ = terms.stride(0, matrix);
            vector_term_ = terms.stride(0, vector);
        }
        matrix_ = from[matrix - 1];
        vector_ = from[vector - 1];
    }

    /// Results one by one, terms in their order.
    void run_scalar() const {
        for (std::int64_t i = 0; i < rows_; ++i) {
            for (std::int64_t r = 0; r < results_; ++r) {
                T sum(0);
                for (std::int64_t t = 0; t < terms_; ++t) {
                    sum = scalar_mul_add<Arch>(matrix_[r * matrix_step_ + t * matrix_term_],
                                               vector_[i * vector_row_ + t * vector_term_], sum);
                }
                scale_.template put<Arch>(out_[i * out_row_ + r * out_step_], sum);
            }
        }
    }

    /// Of a matrix and a vector that lie along the terms, and one row. together: rows of the matrix
    /// come from a near cache.
    void run_along_terms(bool together) const {
        if constexpr (short_type::exists) {
            if (terms_ <= short_type::most_elements(true)) {
                run_along_short_terms();
                return;
            }
        }
        const shared_line<T, Arch> line(vector_, terms_);
        reg sums[rows_together];
        for (std::int64_t r = 0; r < results_; r += rows_together) {
            const std::int64_t count = std::min(rows_together, results_ - r);
            const T* const from = matrix_ + r * matrix_step_;
            if (together) {
                line.add_together(from, matrix_step_, count, sums, true);
            } else {
                line.add(from, matrix_step_, count, sums, true);
            }
            put_lane_sums<T, Arch>(sums, count, out_ + r * out_step_, out_step_, scale_);
        }
    }

    /// The same of lines of few registers.
    void run_along_short_terms() const {
        const auto bytes = results_ * terms_ * static_cast<std::int64_t>(sizeof(T));
        const short_type lines(matrix_, matrix_step_, vector_, 0, terms_,
                               bytes >= cores<Arch>::measured().dram_bytes);
        reg sums[rows_together / width];
        for (std::int64_t r = 0; r < results_; r += rows_together) {
            const std::int64_t count = std::min(rows_together, results_ - r);
            lines.add(sums, r, count, true);
            put_sums<T, Arch>(sums, count, out_ + r * out_step_, out_step_, scale_);
        }
    }

    /// Of a matrix that lies along the results, and one row.
    void run_along_results() const {
        const line_writer<T, Arch> writer(scale_, false);
        const bool in_place = writes_in_place() && terms_ <= terms_at_once;
        alignas(line_bytes) T block[results_at_once];
        for (std::int64_t r = 0; r < results_; r += results_at_once) {
            const std::int64_t count = std::min(results_at_once, results_ - r);
            if (terms_ <= terms_at_once) {
                add_block(r, count, 0, terms_, in_place ? out_ + r : block);
                if (!in_place) {
                    put(writer, block, out_ + r * out_step_, count);
                }
                continue;
            }
            cascade<T, results_at_once, number_sums<T>> sums;
            for (std::int64_t t = 0; t < terms_; t += terms_at_once) {
                add_block(r, count, t, std::min(terms_at_once, terms_ - t), block);
                sums.add_block(block, static_cast<std::size_t>(count));
            }
            put(writer, sums.total(static_cast<std::size_t>(count)), out_ + r * out_step_, count);
        }
    }

    /// Without terms; the matrix has one row of results.
    void run_products() const {
        if (is_streamed()) {
            stream_products();
            return;
        }
        const bool in_place = writes_in_place();
        const line_writer<T, Arch> writer(scale_, false);
        alignas(line_bytes) T products[results_at_once];
        for (std::int64_t i = 0; i < rows_; ++i) {
            const T number = vector_[i * vector_row_];
            T* const row = out_ + i * out_row_;
            if (in_place) {
                multiply(matrix_, number, results_, row);
                continue;
            }
            for (std::int64_t r = 0; r < results_; r += results_at_once) {
                const std::int64_t count = std::min(results_at_once, results_ - r);
                multiply(matrix_ + r * matrix_step_, number, count, products);
                put(writer, products, row + r * out_step_, count);
            }
        }
    }

private:
    using simd_type = simd<T, Arch>;
    using reg = typename simd_type::type;
    using short_type = short_lines<T, Arch, factors_of_lines::shared>;
    static constexpr auto width = static_cast<std::int64_t>(simd_type::lanes);
    /// Registers of sums whose lanes are added up.
    static constexpr std::int64_t rows_together = 64;
    /// Results that stay in the first-level cache, a page of them, while rows pass by.
    static constexpr auto results_at_once = static_cast<std::int64_t>(4096 / sizeof(T));
    /// Terms of a block of a sum; see cascade for the order of blocks.
    static constexpr std::int64_t terms_at_once = 512;
    /// So many results are written past the caches.
    static constexpr auto streamed_results = static_cast<std::int64_t>(streamed_bytes / sizeof(T));
    /// What leaves even the sign of a zero that is added.
    static constexpr T nothing = static_cast<T>(-T(0));

    /// Whether results can be computed where they belong.
    [[nodiscard]] bool writes_in_place() const { return out_step_ == 1 && scale_.is_identity(); }

    /// Whether all results of several rows follow each other, and no cache keeps them.
    [[nodiscard]] bool is_streamed() const {
        return writes_in_place() && (rows_ == 1 || out_row_ == results_) &&
               rows_ * results_ >= streamed_results;
    }
    /// Products are put together in the cache until they fill lines.
    void stream_products() const {
        alignas(line_bytes)
            T products[static_cast<std::size_t>(results_at_once) + line_elements<T>];
        std::size_t waiting = 0;
        for (std::int64_t i = 0; i < rows_; ++i) {
            for (std::int64_t r = 0; r < results_; r += results_at_once) {
                const std::int64_t count = std::min(results_at_once, results_ - r);
                if (static_cast<std::int64_t>(waiting) + count > results_at_once) {
                    waiting = stream_whole_lines<T, Arch>(products, waiting,
                                                          out_ + i * results_ + r, false);
                }
                multiply(matrix_ + r * matrix_step_, vector_[i * vector_row_], count,
                         products + waiting);
                waiting += static_cast<std::size_t>(count);
            }
        }
        static_cast<void>(
            stream_whole_lines<T, Arch>(products, waiting, out_ + rows_ * results_, true));
        simd_type::end_stream();
    }

    /// Writes the sums of some terms of some results, rows of the matrix eight at a time. The
    /// products of eight are added up first, so that sums need not wait for each other, unless they
    /// are few.
    void add_block(std::int64_t result, std::int64_t results, std::int64_t term, std::int64_t terms,
                   T* sums) const {
        rows_block rows{matrix_ + result + term * matrix_term_,
                        vector_ + term * vector_term_,
                        results,
                        sums,
                        terms_ <= few_terms,
                        true};
        add_rows<8>(rows, terms);
        add_rows<4>(rows, terms);
        add_rows<1>(rows, terms);
    }

    /// Rows of the matrix that are left to be added.
    struct rows_block {
        const T* from;
        const T* factors;
        std::int64_t results;
        T* sums;
        bool in_order;
        bool is_first;
    };

    template <std::size_t Rows>
    [[gnu::noinline, gnu::flatten]] void add_rows(rows_block& rows, std::int64_t& terms) const {
        constexpr auto count = static_cast<std::int64_t>(Rows);
        const std::int64_t step = matrix_term_;
        const bool in_order = rows.in_order;
        const reg begin = simd_type::set(nothing);
        for (; terms >= count; terms -= count) {
            reg factor[Rows];
#pragma GCC unroll 32
            for (std::size_t r = 0; r < Rows; ++r) {
                factor[r] = simd_type::held(
                    simd_type::set(rows.factors[static_cast<std::int64_t>(r) * vector_term_]));
            }
            // Not by way of the block, which stores of results may write.
            const T* const from = rows.from;
            T* const sums = rows.sums;
            const std::int64_t results = rows.results;
            const bool is_first = rows.is_first;
            const auto sum_of = [&](const T* place, const reg& before, const auto& load) {
                reg sum = in_order ? before : begin;
#pragma GCC unroll 32
                for (std::size_t r = 0; r < Rows; ++r) {
                    sum = simd_type::mul_add(factor[r], load(place), sum);
                    place = opaque(place + step);
                }
                return in_order ? sum : simd_type::add(before, sum);
            };
            std::int64_t i = 0;
            for (; i + width <= results; i += width) {
                const reg before = is_first ? begin : simd_type::load(sums + i);
                simd_type::store(sums + i, sum_of(from + i, before, [](const T* place) {
                                     return simd_type::load(place);
                                 }));
            }
            if (i < results) {
                const auto left = static_cast<std::size_t>(results - i);
                const auto load = [left](const T* place) {
                    return simd_type::load_part(place, left);
                };
                const reg before = is_first ? begin : load(sums + i);
                simd_type::store_part(sums + i, sum_of(from + i, before, load), left);
            }
            rows.from += count * step;
            rows.factors += count * vector_term_;
            rows.is_first = false;
        }
    }

    /// Writes the products of a row and a number.
    [[gnu::always_inline]] void multiply(const T* row, const T& number, std::int64_t count,
                                         T* to) const {
        if (matrix_step_ != 1) {
#pragma GCC unroll 1
            for (std::int64_t r = 0; r < count; ++r) {
                to[r] = scalar_mul(row[r * matrix_step_], number);
            }
            return;
        }
        const reg factor = simd_type::set(number);
        const auto put_at = [&](std::int64_t r) {
            simd_type::store(to + r, simd_type::mul(simd_type::load(row + r), factor));
        };
        std::int64_t r = 0;
        for (; r + width <= count; r += width) {
            put_at(r);
        }
        if (r < count && count >= width) {
            put_at(count - width);  // over the one before
        } else if (r < count) {
            const auto all = static_cast<std::size_t>(count);
            simd_type::store_part(to, simd_type::mul(simd_type::load_part(row, all), factor), all);
        }
    }

    void put(const line_writer<T, Arch>& writer, const T* from, T* to, std::int64_t count) const {
        if (out_step_ == 1) {
            writer.write(from, to, static_cast<std::size_t>(count));
        } else {
            writer.write(from, 1, to, out_step_, count);
        }
    }

    const T* matrix_ = nullptr;
    const T* vector_ = nullptr;
    T* out_;
    std::int64_t rows_ = 1, results_ = 1, terms_ = 1;
    std::int64_t vector_row_ = 0, out_row_ = 0;
    std::int64_t matrix_step_ = 0, out_step_ = 1;
    std::int64_t matrix_term_ = 0, vector_term_ = 0;
    scaling<T> scale_;
};

/// out = scale(product of a matrix and a vector, or of two vectors), on loops as the planner has
/// put them. along: the loop in vectors. No array overlaps out. Alone: where this kernel has no
/// others beside it, which take what has no sums and what does not run in vectors.
template <class T, class Arch, bool Alone = true>
void matrix_vector(const loops& output, const loops& terms, vector_loop along, bool together,
                   const T* const* from, T* out, const scaling<T>& scale) {
    if (output.count == 0 && along == vector_loop::contracted) {
        scale.template put<Arch>(*out, dot<T, Arch>(from[0], from[1], terms.extent(0)));
        return;
    }
    const matrix_vector_run<T, Arch> run(output, terms, from, out, scale);
    if constexpr (Alone) {
        if (along == vector_loop::none) {
            run.run_scalar();
            return;
        }
        if (terms.count == 0) {
            run.run_products();
            return;
        }
    }
    if (along == vector_loop::contracted) {
        run.run_along_terms(together);
    } else {
        run.run_along_results();
    }
}

}  // namespace xeinsum::kernel
