// A nest without a loop that can run in vectors, or of elements that have none: "bfe,fc->ebc" sums
// over f for four b at a time, because one sum waits for its last addition before the next.
#pragma once

#include <xeinsum/kernel/cursors.hpp>
#include <xeinsum/kernel/loop_nest.hpp>
#include <xeinsum/kernel/reduce/cascade.hpp>
#include <xeinsum/kernel/scaling.hpp>
#include <xeinsum/kernel/simd/element.hpp>
#include <xeinsum/kernel/simd/simd.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace xeinsum::kernel {

/// Where Count inputs stand, in registers where the compiler has enough of them.
template <class T, std::size_t Count>
class places {
public:
    places(const cursors<T>& from) {
        for (std::size_t i = 0; i < Count; ++i) {
            at_[i] = from[i].outer;
            row_[i] = from[i].row;
            term_[i] = from[i].term;
            array_[i] = from[i].array;
        }
    }

    [[nodiscard]] static constexpr std::size_t size() { return Count; }
    [[nodiscard]] const T& operator()(std::size_t i, std::int64_t row, std::int64_t term) const {
        return at_[i][row * row_[i] + term * term_[i]];
    }

    /// Calls body(out offset) for each iteration; all inputs are where they were afterwards.
    template <class Body>
    void for_each(const loops& over, Body body) {
        if (over.count == 0) {
            body(std::int64_t{0});
            return;
        }
        std::int64_t index[max_loops];
        std::fill_n(index, over.count, 0);
        std::int64_t out = 0;
        do {
            body(out);
        } while (advance(over, index, out));
    }

private:
    bool advance(const loops& over, std::int64_t* index, std::int64_t& out) {
        for (std::size_t m = over.count; m-- > 0;) {
            const bool wraps = ++index[m] == over.extent(m);
            const std::int64_t steps = wraps ? 1 - over.extent(m) : 1;
            for (std::size_t i = 0; i < Count; ++i) {
                at_[i] += steps * over.stride(m, array_[i]);
            }
            out += steps * over.stride(m, 0);
            if (!wraps) {
                return true;
            }
            index[m] = 0;
        }
        return false;
    }

    std::array<const T*, Count> at_{};
    std::array<std::int64_t, Count> row_{};
    std::array<std::int64_t, Count> term_{};
    std::array<std::size_t, Count> array_{};
};

/// The same for any number of inputs, in the memory of the cursors.
template <class T>
class places<T, any> {
public:
    places(cursors<T>& from) : inputs_(from) {}

    [[nodiscard]] std::size_t size() const { return inputs_.size(); }
    [[nodiscard]] const T& operator()(std::size_t i, std::int64_t row, std::int64_t term) const {
        return inputs_[i].outer[row * inputs_[i].row + term * inputs_[i].term];
    }
    template <class Body>
    void for_each(const loops& over, Body body) {
        inputs_.for_each_output(over, body);
    }

private:
    cursors<T>& inputs_;
};

/// Rows of the last output loop are taken four at a time. Each result adds its terms in the order
/// of the loops, in blocks of block_terms. Count is the number of inputs, or any.
template <class T, class Arch, std::size_t Count>
class scalar_nest {
public:
    using compute = compute_t<T>;

    scalar_nest(const loop_nest& nest, cursors<T>& inputs, const T* const* from, T* out,
                const scaling<T>& scale)
        : inputs_(inputs), out_(out), scale_(scale) {
        const std::size_t outputs = nest.output.count;
        const std::size_t sums = nest.contracted.count;
        outer_ = nest.output.first(outputs > 0 ? outputs - 1 : 0);
        row_ = nest.output.from(outer_.count).first(outputs - outer_.count);
        terms_ = nest.contracted.first(sums > 0 ? sums - 1 : 0);
        term_ = nest.contracted.from(terms_.count).first(sums - terms_.count);
        inputs_.start(from, {}, row_, term_);
    }

    void run() {
        const std::int64_t rows = row_.count == 0 ? 1 : row_.extent(0);
        places<T, Count> at(inputs_);
        at.for_each(outer_, [&](std::int64_t out) {
            std::int64_t row = 0;
            for (; row + tile <= rows; row += tile) {
                put_rows<tile>(at, out, row);
            }
            for (; row < rows; ++row) {
                put_rows<1>(at, out, row);
            }
        });
    }

private:
    static constexpr std::int64_t tile = 4;
    template <std::int64_t Rows>
    using totals = std::array<compute, Rows>;

    /// The product of the first inputs.
    [[nodiscard]] static compute product_of(const places<T, Count>& at, std::size_t first,
                                            std::int64_t row, std::int64_t term) {
        auto product = static_cast<compute>(at(0, row, term));
        for (std::size_t i = 1; i < first; ++i) {
            product = scalar_mul(product, static_cast<compute>(at(i, row, term)));
        }
        return product;
    }

    template <std::int64_t Rows>
    void put_rows(places<T, Count>& at, std::int64_t out, std::int64_t row) const {
        totals<Rows> total{};
        if (term_.count == 0) {
            for (std::int64_t r = 0; r < Rows; ++r) {
                total[static_cast<std::size_t>(r)] = product_of(at, at.size(), row + r, 0);
            }
        } else {
            cascade<compute, Rows, number_sums<compute>> blocks;
            std::int64_t room = block_terms;
            const auto add_line = [&](const places<T, Count>& term) {
                const std::int64_t extent = term_.extent(0);
                std::int64_t t = 0;
                for (; extent - t > room; room = block_terms) {
                    total = add_terms<Rows>(term, row, t, t + room, total);
                    t += room;
                    blocks.add_block(total.data(), Rows);
                    total = {};
                }
                total = add_terms<Rows>(term, row, t, extent, total);
                room -= extent - t;
            };
            if (terms_.count == 0) {
                add_line(at);
            } else {
                places<T, Count> term = at;
                term.for_each(terms_, [&](std::int64_t) { add_line(term); });
            }
            if (!blocks.empty()) {
                blocks.add_block(total.data(), Rows);
                std::copy_n(blocks.total(Rows), Rows, total.begin());
            }
        }
        const std::int64_t step = row_.count == 0 ? 0 : row_.stride(0, 0);
        T* to = out_ + out + row * step;
        for (const compute& t : total) {
            scale_.template put<Arch>(*to, t);
            to += step;
        }
    }

    /// Adds the terms from t to end along the last contracted loop.
    template <std::int64_t Rows>
    [[nodiscard]] static totals<Rows> add_terms(const places<T, Count>& at, std::int64_t row,
                                                std::int64_t t, std::int64_t end,
                                                totals<Rows> total) {
        const std::size_t last = at.size() - 1;
#pragma GCC unroll 1
        for (; t < end; ++t) {
            for (std::int64_t r = 0; r < Rows; ++r) {
                compute& sum = total[static_cast<std::size_t>(r)];
                const auto factor = static_cast<compute>(at(last, row + r, t));
                sum = last == 0
                          ? sum + factor
                          : scalar_mul_add<Arch>(product_of(at, last, row + r, t), factor, sum);
            }
        }
        return total;
    }

    loops outer_{};
    loops row_{};
    loops terms_{};
    loops term_{};
    cursors<T>& inputs_;
    T* out_;
    scaling<T> scale_;
};

}  // namespace xeinsum::kernel
