// The product of all inputs in one register: for "bld,dn->bldn" lanes of the second input times one
// element of the first.
#pragma once

#include <xeinsum/kernel/cursors.hpp>
#include <xeinsum/kernel/memory/cache.hpp>
#include <xeinsum/kernel/memory/prefetch.hpp>
#include <xeinsum/kernel/simd/element.hpp>
#include <xeinsum/kernel/simd/opaque.hpp>
#include <xeinsum/kernel/simd/simd.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <type_traits>
#include <utility>

namespace xeinsum::kernel {

/// Reads inputs at (row, term, x), where x counts along the vector loop. With known counts the
/// cursors are copied, and the compiler keeps them in registers. Fixed is the most that may stay in
/// place where there are fewer inputs: a factor of 1 stands for one that is not there.
template <class T, class Arch, std::size_t Units, std::size_t Fixed>
class product {
public:
    using simd_type = simd<compute_t<T>, Arch>;
    using reg = typename simd_type::type;
    static constexpr std::size_t lanes = simd_type::lanes;
    static constexpr bool known = Units != any;
    /// The most inputs that there may be.
    static constexpr std::size_t most_inputs = known ? Units + Fixed : any;

    explicit product(const cursors<T>& from) : counts_(from.counts()), inputs_(keep(from)) {}
    /// A copy for a loop of its own; see copy_of.
    product(const product& from) : counts_(from.counts_), inputs_(keep(from)) {}
    product& operator=(const product&) = delete;
    /// The same in registers of another machine.
    template <class Other>
    explicit product(const product<T, Other, Units, Fixed>& from) : inputs_(keep(from)) {
        static_assert(known);
    }

    /// Input i, where it stands.
    [[nodiscard]] const cursor<T>& operator[](std::size_t i) const { return inputs_[i]; }

    /// Takes one step of a loop that the cursors do not know.
    [[gnu::always_inline]] void step(const loops& one) {
        for_each_input([&](cursor<T>& input) {
            input.at += input.array == 0 ? 0 : one.stride(0, input.array);
        });
    }

    /// Goes so many rows and terms on.
    [[gnu::always_inline]] void move(std::int64_t rows, std::int64_t terms) {
        for_each_input(
            [&](cursor<T>& input) { input.at += rows * input.row + terms * input.term; });
    }

    /// Goes so many lanes on.
    [[gnu::always_inline]] void skip(std::int64_t lanes_passed) {
        [&]<std::size_t... M>(std::index_sequence<M...>) {
            ((inputs_[M].at += lanes_passed), ...);
        }
        (std::make_index_sequence<Units>());
    }

    [[nodiscard]] std::size_t units() const { return known ? Units : counts_.units; }
    [[nodiscard]] std::size_t fixed() const { return known ? Fixed : counts_.fixed; }
    [[nodiscard]] std::size_t gathered() const { return known ? 0 : counts_.gathered; }

    /// Whether lanes that load_part leaves 0 have the product 0.
    [[nodiscard]] bool zero_beyond() const { return fixed() == 0; }

    /// The product of the inputs that stay in place; 1 if none does.
    [[nodiscard]] T factor(std::int64_t row, std::int64_t term) const {
        return known ? fixed_product(row, term) : counted_factor(row, term);
    }

    /// Lanes x .. x + count - 1 of the product. factor is that of the same row and term.
    [[nodiscard]] reg operator()(std::int64_t row, std::int64_t term, std::int64_t x,
                                 std::size_t count, const reg& factor) const {
        return known ? lanes_of(row, term, x, count, factor)
                     : counted_lanes(row, term, x, count, factor);
    }

    /// sum + the product.
    [[nodiscard]] reg add_to(const reg& sum, std::int64_t row, std::int64_t term, std::int64_t x,
                             std::size_t count, const reg& factor) const {
        if constexpr (!known) {
            return simd_type::add(sum, counted_lanes(row, term, x, count, factor));
        }
        const reg most = moving(row, term, x, count);
        if (fixed() > 0) {
            return simd_type::mul_add(most, factor, sum);
        }
        return has_last() ? simd_type::mul_add(most, load(last(), row, term, x, count), sum)
                          : simd_type::add(sum, most);
    }

    /// Prefetches some cache lines from x on of the inputs that move, where counts are known; of
    /// the term so many behind this one, which may be beyond the array.
    template <std::size_t Lines>
    [[gnu::always_inline]] void prefetch(std::int64_t row, std::int64_t term, std::int64_t x,
                                         std::int64_t behind = 0) const {
        for_each_moving([&](std::size_t m) __attribute__((always_inline)) {
            const auto bytes = static_cast<std::size_t>(behind * inputs_[m].term) * sizeof(T);
            for (std::size_t i = 0; i < Lines; ++i) {
                prefetch_to_second_cache(at(m, row, term) + x, bytes + i * line_bytes);
            }
        });
    }
    /// Prefetches the cache line so many bytes behind element x of the inputs that move.
    [[gnu::always_inline]] void prefetch_line(std::int64_t row, std::int64_t x,
                                              std::size_t bytes) const {
        for_each_moving([&](std::size_t m) __attribute__((always_inline)) {
            prefetch_to_second_cache(at(m, row, 0) + x, bytes);
        });
    }

    /// Prefetches as much as so many rows read, at least so many bytes behind what they read: of
    /// inputs that move and whose rows follow each other closely. No hardware prefetches what is
    /// read through masks.
    [[gnu::always_inline]] void prefetch_rows(std::int64_t row, std::int64_t rows) const {
        prefetch_lines(&cursor<T>::row, row, 0, rows);
    }
    /// The same of terms.
    [[gnu::always_inline]] void prefetch_terms(std::int64_t row, std::int64_t term,
                                               std::int64_t terms) const {
        prefetch_lines(&cursor<T>::term, row, term, terms);
    }

    /// Element x of the product.
    [[nodiscard]] T element(std::int64_t row, std::int64_t term, std::int64_t x) const {
        T result = *(at(0, row, term) + x * inputs_[0].lane);
        for (std::size_t i = 1; i < units() + fixed() + gathered(); ++i) {
            result = scalar_mul(result, *(at(i, row, term) + x * inputs_[i].lane));
        }
        return result;
    }

private:
    using kept = std::conditional_t<known, std::array<cursor<T>, known ? Units + Fixed : 1>,
                                    const cursor<T>*>;

    template <class Inputs>
    [[nodiscard]] static kept keep(const Inputs& from) {
        if constexpr (known) {
            return keep(from, std::make_index_sequence<Units + Fixed>());
        } else {
            return &from[0];
        }
    }
    template <class Inputs, std::size_t... I>
    [[nodiscard]] static kept keep(const Inputs& from, std::index_sequence<I...>) {
        return {(I < Units || has(from, I) ? copy_of(from[I]) : cursor<T>{&one_, &one_})...};
    }
    [[nodiscard]] static bool has(const cursors<T>& from, std::size_t i) { return i < from.size(); }
    template <class Other>
    [[nodiscard]] static bool has(const product<T, Other, Units, Fixed>&, std::size_t) {
        return true;
    }
    static constexpr T one_{1};

    /// The places of a cursor have just been written, one by one: read in registers that are wider
    /// they would wait until those stores are done, some 60 cycles for two inputs.
    [[nodiscard]] static cursor<T> copy_of(const cursor<T>& from) {
        return {opaque(from.outer), opaque(from.at), from.lane, from.row, from.term, from.array};
    }

    // Without loops: what they index g++ would keep in memory.

    /// body(m) for the inputs that move, where counts are known. All is inlined, or g++ 12 drops
    /// bodies that do nothing but prefetch.
    template <class Body>
    [[gnu::always_inline]] void for_each_moving(Body body) const {
        if constexpr (known) {
            [&]<std::size_t... M>(std::index_sequence<M...>) __attribute__((always_inline)) {
                (body(M), ...);
            }
            (std::make_index_sequence<Units>());
        }
    }
    template <class Body>
    [[gnu::always_inline]] void for_each_input(Body body) {
        static_assert(known);
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            (body(inputs_[I]), ...);
        }
        (std::make_index_sequence<Units + Fixed>());
    }

    [[nodiscard]] const T* at(std::size_t i, std::int64_t row, std::int64_t term) const {
        return inputs_[i].at + row * inputs_[i].row + term * inputs_[i].term;
    }

    [[gnu::always_inline]] void prefetch_lines(std::int64_t cursor<T>::*step, std::int64_t row,
                                               std::int64_t term, std::int64_t lines) const {
        for_each_moving([&](std::size_t m) __attribute__((always_inline)) {
            prefetch_close_lines<least_ahead>(at(m, row, term), inputs_[m].*step, lines);
        });
    }

    [[nodiscard]] T fixed_product(std::int64_t row, std::int64_t term) const {
        if (fixed() == 0) {
            return T(1);
        }
        T result = *at(units(), row, term);
        for (std::size_t f = 1; f < fixed(); ++f) {
            result = scalar_mul(result, *at(units() + f, row, term));
        }
        return result;
    }
    [[nodiscard]] reg lanes_of(std::int64_t row, std::int64_t term, std::int64_t x,
                               std::size_t count, const reg& factor) const {
        const reg most = moving(row, term, x, count);
        if (fixed() > 0) {
            return simd_type::mul(most, factor);
        }
        return has_last() ? simd_type::mul(most, load(last(), row, term, x, count)) : most;
    }

    // Inputs that are counted: kernels are not worth copies of such loops.
    [[nodiscard, gnu::noinline]] T counted_factor(std::int64_t row, std::int64_t term) const {
        return fixed_product(row, term);
    }
    [[nodiscard, gnu::noinline]] reg counted_lanes(std::int64_t row, std::int64_t term,
                                                   std::int64_t x, std::size_t count,
                                                   reg factor) const {
        return lanes_of(row, term, x, count, factor);
    }

    // Without a factor the last moving input is multiplied in by the multiply-add.
    [[nodiscard]] std::size_t last() const { return units() + gathered() - 1; }
    [[nodiscard]] bool has_last() const { return last() > 0; }

    [[nodiscard]] reg moving(std::int64_t row, std::int64_t term, std::int64_t x,
                             std::size_t count) const {
        const std::size_t end = fixed() == 0 && has_last() ? last() : last() + 1;
        reg result = load(0, row, term, x, count);
        for (std::size_t m = 1; m < end; ++m) {
            result = simd_type::mul(result, load(m, row, term, x, count));
        }
        return result;
    }

    /// Lanes of the m-th of the inputs that move along the vector loop.
    [[nodiscard]] reg load(std::size_t m, std::int64_t row, std::int64_t term, std::int64_t x,
                           std::size_t count) const {
        // What is known when compiling is that nothing is gathered.
        if (known || m < units()) {
            const T* from = at(m, row, term) + x;
            return count == lanes ? simd_type::load(from) : simd_type::load_part(from, count);
        }
        const cursor<T>& input = inputs_[m + fixed()];
        return gather(at(m + fixed(), row, term) + x * input.lane, input.lane, count);
    }
    [[gnu::noinline]] static reg gather(const T* from, std::int64_t stride, std::size_t count) {
        return simd_type::gather(from, stride, count);
    }

    input_counts counts_{};
    kept inputs_;
};

}  // namespace xeinsum::kernel
