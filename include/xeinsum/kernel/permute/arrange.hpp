// Chooses the order of a nest's loops before it runs: for "ij,ij->i" the loop over j becomes the
// last contracted one and runs in vectors.
#pragma once

#include <xeinsum/kernel/loop_nest.hpp>

#include <cstddef>
#include <cstdint>

namespace xeinsum::kernel {

/// Rows of a nest that may still change places; output rows come first.
struct arrangement {
    std::int64_t* rows = nullptr;
    std::size_t pitch = 0;
    std::size_t inputs = 1;
    std::size_t output_count = 0;
    std::size_t count = 0;

    [[nodiscard]] constexpr std::int64_t extent(std::size_t m) const noexcept {
        return rows[m * pitch];
    }
    [[nodiscard]] constexpr std::int64_t stride(std::size_t m, std::size_t array) const noexcept {
        return rows[m * pitch + 1 + array];
    }
    [[gnu::noinline]] constexpr void swap(std::size_t a, std::size_t b) noexcept {
        for (std::size_t i = 0; a != b && i < pitch; ++i) {
            const std::int64_t cell = rows[a * pitch + i];
            rows[a * pitch + i] = rows[b * pitch + i];
            rows[b * pitch + i] = cell;
        }
    }
};

/// Inputs that loop m reads neither in place, stride 0, nor side by side, stride 1.
[[nodiscard, gnu::noinline]] constexpr std::size_t gathered_inputs(const arrangement& a,
                                                                   std::size_t m) noexcept {
    std::size_t count = 0;
    for (std::size_t i = 1; i <= a.inputs; ++i) {
        count += is_apart(a.stride(m, i)) ? 1 : 0;
    }
    return count;
}

[[nodiscard, gnu::noinline]] constexpr std::size_t unit_inputs(const arrangement& a,
                                                               std::size_t m) noexcept {
    std::size_t count = 0;
    for (std::size_t i = 1; i <= a.inputs; ++i) {
        count += a.stride(m, i) == 1 ? 1 : 0;
    }
    return count;
}

/// How far a step of loop m moves in memory: the greatest stride.
[[nodiscard, gnu::noinline]] constexpr std::int64_t reach(const arrangement& a, std::size_t m,
                                                          std::size_t first_array) noexcept {
    std::int64_t greatest = 0;
    for (std::size_t i = first_array; i <= a.inputs; ++i) {
        greatest = greatest < magnitude(a.stride(m, i)) ? magnitude(a.stride(m, i)) : greatest;
    }
    return greatest;
}

/// No array leads an order: loops go by the greatest stride among the inputs.
inline constexpr std::size_t no_array = static_cast<std::size_t>(-1);

/// The array whose order output loops should follow: the output, unless an input has so many more
/// elements that reading it in order is worth more.
[[nodiscard, gnu::noinline]] constexpr std::size_t leading_array(const arrangement& a) noexcept {
    constexpr double more = 2;
    const auto elements = [&](std::size_t array) {
        double product = 1;
#pragma GCC unroll 1
        for (std::size_t m = 0; m < a.count; ++m) {
            product *= a.stride(m, array) == 0 ? 1.0 : static_cast<double>(a.extent(m));
        }
        return product;
    };
    std::size_t leader = 0;
    double most = more * elements(0);
    for (std::size_t i = 1; i <= a.inputs; ++i) {
        const double count = elements(i);
        leader = count > most ? i : leader;
        most = count > most ? count : most;
    }
    return leader;
}

/// Sorts rows begin .. end - 1 so that long strides are outside: those of the leading array, among
/// equals those of the inputs.
constexpr void sort_by_reach(arrangement& a, std::size_t begin, std::size_t end,
                             std::size_t leader) noexcept {
    const auto outer = [&](std::size_t x, std::size_t y) {
        const std::int64_t sx = leader == no_array ? 0 : magnitude(a.stride(x, leader));
        const std::int64_t sy = leader == no_array ? 0 : magnitude(a.stride(y, leader));
        return sx != sy ? sx > sy : reach(a, x, 1) > reach(a, y, 1);
    };
    for (std::size_t i = begin + 1; i < end; ++i) {
        for (std::size_t j = i; j > begin && outer(j, j - 1); --j) {
            a.swap(j, j - 1);
        }
    }
}

/// Sorts the first end output loops.
constexpr void sort_results(arrangement& a, std::size_t end) noexcept {
    if (end > 1) {  // one loop needs no leader, which takes time to find
        sort_by_reach(a, 0, end, leading_array(a));
    }
}

/// A loop that can run in vectors, or none.
struct vector_choice {
    vector_loop kind = vector_loop::none;
    std::size_t row = 0;
};

/// Which loop should run in vectors.
///
/// An output loop is best where the output lies side by side along it: sums stay in registers and
/// nothing is added up across lanes. It loses to a contracted loop that all inputs follow side by
/// side if it would have to gather an input, or if it is shorter than a vector.
[[nodiscard]] constexpr vector_choice choose_vector_loop(const arrangement& a,
                                                         std::size_t lanes) noexcept {
    std::size_t output = a.count;
    std::size_t contracted = a.count;
    for (std::size_t m = 0; m < a.count; ++m) {
        if (m < a.output_count) {
            const bool better =
                output == a.count || gathered_inputs(a, m) < gathered_inputs(a, output);
            output = a.stride(m, 0) == 1 && unit_inputs(a, m) > 0 && better ? m : output;
        } else if (unit_inputs(a, m) > 0 && gathered_inputs(a, m) == 0) {
            contracted =
                contracted == a.count || a.extent(m) > a.extent(contracted) ? m : contracted;
        }
    }
    const auto width = static_cast<std::int64_t>(lanes);
    const bool contracted_wins =
        contracted < a.count &&
        (output == a.count || gathered_inputs(a, output) > 0 ||
         (a.extent(output) < width && a.extent(contracted) > a.extent(output)));
    if (contracted_wins) {
        return {vector_loop::contracted, contracted};
    }
    return output < a.count ? vector_choice{vector_loop::output, output} : vector_choice{};
}

/// Rows of results that a nest without vectors takes at once.
inline constexpr std::int64_t scalar_rows = 4;

/// Makes the closest of the first end loops that suits(m) the last of them.
template <class Suits>
constexpr void make_last(arrangement& a, std::size_t end, Suits suits) noexcept {
    std::size_t row = end;
    while (row > 0 && !suits(row - 1)) {
        --row;
    }
    for (; row > 0 && row < end; ++row) {
        a.swap(row - 1, row);
    }
}

/// Orders the first end output loops, of which none runs in vectors. The closest one that is long
/// enough becomes the last, the rows.
constexpr void arrange_rows(arrangement& a, std::size_t end) noexcept {
    sort_results(a, end);
    make_last(a, end, [&a](std::size_t m) { return a.extent(m) >= scalar_rows; });
}

/// Orders the loops; the one that runs in vectors becomes the last of its kind.
constexpr void arrange_around(const vector_choice& vectors, arrangement& a) noexcept {
    std::size_t output_end = a.output_count;
    std::size_t end = a.count;
    if (vectors.kind == vector_loop::output) {
        a.swap(vectors.row, --output_end);
    } else if (vectors.kind == vector_loop::contracted) {
        a.swap(vectors.row, --end);
    }
    if (vectors.kind == vector_loop::none) {
        arrange_rows(a, output_end);
    } else {
        sort_results(a, output_end);
    }
    sort_by_reach(a, a.output_count, end, no_array);
}

/// Orders the loops of a nest of sums of products.
[[nodiscard]] constexpr vector_loop arrange(arrangement& a, std::size_t lanes) noexcept {
    const vector_choice vectors = choose_vector_loop(a, lanes);
    arrange_around(vectors, a);
    return vectors.kind;
}

}  // namespace xeinsum::kernel
