#include <xeinsum/kernel/permute/transpose.hpp>

#include "../../support/instances.hpp"

#include <doctest/doctest.h>

#include <complex>
#include <cstdint>
#include <type_traits>
#include <vector>

using xeinsum::kernel::moved_as_t;
using xeinsum::kernel::square;

TEST_CASE_TEMPLATE("rows become columns", I, SUPPORT_FLOATING_INSTANCES) {
    using T = typename I::type;
    using square_type = square<T, typename I::arch>;
    constexpr std::size_t lanes = square_type::lanes;
    typename square_type::reg rows[lanes];
    std::vector<T> memory(lanes * lanes);
    for (std::size_t n = 0; n < memory.size(); ++n) {
        memory[n] = static_cast<T>(n);
    }
    for (std::size_t i = 0; i < lanes; ++i) {
        rows[i] = square_type::simd_type::load(memory.data() + i * lanes);
    }
    square_type::transpose(rows);
    for (std::size_t i = 0; i < lanes; ++i) {
        square_type::simd_type::store(memory.data() + i * lanes, rows[i]);
    }
    for (std::size_t i = 0; i < lanes; ++i) {
        for (std::size_t j = 0; j < lanes; ++j) {
            CHECK(memory[i * lanes + j] == static_cast<T>(j * lanes + i));
        }
    }
}

TEST_CASE_TEMPLATE("columns are loaded", I, SUPPORT_FLOATING_INSTANCES) {
    using T = typename I::type;
    using square_type = square<T, typename I::arch>;
    constexpr std::size_t lanes = square_type::lanes;
    for (std::size_t columns = 1; columns <= lanes; ++columns) {
        const std::size_t read =
            (columns + square_type::part - 1) / square_type::part * square_type::part;
        std::vector<T> memory((lanes - 1) * columns + read);
        for (std::size_t n = 0; n < memory.size(); ++n) {
            memory[n] = static_cast<T>(n + 1);
        }
        typename square_type::reg found[lanes];
        square_type::load_columns([&](std::size_t i) { return memory.data() + i * columns; },
                                  columns, found);
        for (std::size_t c = 0; c < columns; ++c) {
            T lane[lanes];
            square_type::simd_type::store(lane, found[c]);
            for (std::size_t i = 0; i < lanes; ++i) {
                CHECK(lane[i] == memory[i * columns + c]);
            }
            for (std::size_t p = 0; p < lanes / square_type::part; ++p) {
                T piece[square_type::part];
                square_type::store_part(piece, found[c], p);
                CHECK(piece[0] == lane[p * square_type::part]);
                CHECK(piece[square_type::part - 1] == lane[(p + 1) * square_type::part - 1]);
            }
        }
    }
}

TEST_CASE("elements move in registers of their size") {
    using arch = support::native_arch;
    CHECK(std::is_same_v<moved_as_t<float, arch>, float>);
    CHECK(std::is_same_v<moved_as_t<std::int32_t, arch>, float>);
    CHECK(std::is_same_v<moved_as_t<std::complex<float>, arch>, double>);
    CHECK(std::is_same_v<moved_as_t<std::uint64_t, arch>, double>);
    CHECK(std::is_void_v<moved_as_t<std::complex<double>, arch>>);
    CHECK(std::is_void_v<moved_as_t<std::uint16_t, arch>>);
    CHECK(std::is_void_v<moved_as_t<float, support::scalar_arch>>);
}
