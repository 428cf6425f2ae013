#include <xeinsum/kernel/simd/simd.hpp>

#include "../../support/instances.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

using xeinsum::kernel::prefers_narrower;
using xeinsum::kernel::simd;

TEST_CASE_TEMPLATE("registers hold what memory holds", I, SUPPORT_ALL_INSTANCES,
                   SUPPORT_NARROW_INSTANCES) {
    using T = typename I::type;
    using S = simd<T, typename I::arch>;
    const auto from = support::small_numbers<T>(S::lanes + 1);
    std::vector<T> to(S::lanes + 1, T(99));
    S::store(to.data() + 1, S::load(from.data() + 1));
    CHECK(to[0] == T(99));
    for (std::size_t l = 1; l <= S::lanes; ++l) {
        CHECK(to[l] == from[l]);
    }
    S::store(to.data(), S::held(S::load(from.data())));
    CHECK(to[0] == from[0]);
    CHECK(to[S::lanes - 1] == from[S::lanes - 1]);
    S::store(to.data(), S::set(T(7)));
    CHECK(to[S::lanes - 1] == T(7));
    S::store(to.data(), S::zero());
    CHECK(to[0] == T(0));
}

TEST_CASE_TEMPLATE("registers written by non-temporal stores arrive", I, SUPPORT_ALL_INSTANCES) {
    using T = typename I::type;
    using S = simd<T, typename I::arch>;
    const auto from = support::small_numbers<T>(S::lanes);
    alignas(64) std::byte memory[64 + S::lanes * sizeof(T)];
    auto* to = reinterpret_cast<T*>(memory);
    S::stream(to, S::load(from.data()));
    S::end_stream();
    CHECK(std::vector<T>(to, to + S::lanes) == from);
    // Half a line is near enough for registers that are no larger, a quarter for none.
    const auto can_stream = [&](std::size_t bytes) {
        return S::can_stream(reinterpret_cast<T*>(memory + bytes));
    };
    CHECK(can_stream(32) ==
          (can_stream(0) && sizeof(xeinsum::kernel::real_of_t<T>) * S::lanes <= 32));
    CHECK_FALSE(can_stream(16));
    // Parts of registers of half a line begin at quarters.
    auto* quarter = reinterpret_cast<T*>(memory + 16);
    CHECK(S::can_stream_parts(quarter) == S::streams_parts);
    CHECK_FALSE(S::can_stream_parts(reinterpret_cast<T*>(memory + 8)));
    S::stream_parts(quarter, S::load(from.data()));
    S::end_stream();
    CHECK(std::vector<T>(quarter, quarter + S::lanes) == from);
}

TEST_CASE_TEMPLATE("parts of registers touch no other memory", I, SUPPORT_ALL_INSTANCES,
                   SUPPORT_NARROW_INSTANCES) {
    using T = typename I::type;
    using S = simd<T, typename I::arch>;
    const auto from = support::small_numbers<T>(S::lanes, 5);
    for (std::size_t count = 1; count <= S::lanes; ++count) {
        // Memory of exactly that size: reading beyond it is an error that a sanitizer sees.
        const std::vector<T> part(from.begin(), from.begin() + static_cast<std::ptrdiff_t>(count));
        std::vector<T> whole(S::lanes);
        S::store(whole.data(), S::load_part(part.data(), count));
        std::vector<T> kept(S::lanes);
        S::store(kept.data(), S::keep_part(S::load(from.data()), count));
        CHECK(kept == whole);
        std::vector<T> to(count, T(99));
        S::store_part(to.data(), S::load(whole.data()), count);
        CHECK(to == part);
        for (std::size_t l = count; l < S::lanes; ++l) {
            CHECK(whole[l] == T(0));
        }
    }
}

TEST_CASE_TEMPLATE("arithmetic is that of the elements", I, SUPPORT_ALL_INSTANCES,
                   SUPPORT_NARROW_INSTANCES) {
    using T = typename I::type;
    using S = simd<T, typename I::arch>;
    const auto a = support::small_numbers<T>(S::lanes, 1);
    const auto b = support::small_numbers<T>(S::lanes, 20);
    const auto c = support::small_numbers<T>(S::lanes, 300);
    std::vector<T> product(S::lanes), sum(S::lanes), fused(S::lanes);
    S::store(product.data(), S::mul(S::load(a.data()), S::load(b.data())));
    S::store(sum.data(), S::add(S::load(a.data()), S::load(b.data())));
    S::store(fused.data(), S::mul_add(S::load(a.data()), S::load(b.data()), S::load(c.data())));
    T total(0);
    for (std::size_t l = 0; l < S::lanes; ++l) {
        CHECK(product[l] == T(a[l] * b[l]));
        CHECK(sum[l] == T(a[l] + b[l]));
        CHECK(fused[l] == T(a[l] * b[l] + c[l]));
        total = T(total + a[l]);
    }
    CHECK(S::sum(S::load(a.data())) == total);
}

TEST_CASE("half a register of elements prefers half a register where parts cost the whole") {
    using T = float;
    using Arch = support::native_arch;
    constexpr auto lanes = static_cast<std::int64_t>(simd<T, Arch>::lanes);
    CHECK(prefers_narrower<T, Arch>(lanes / 2));
    CHECK(prefers_narrower<T, Arch>(lanes / 2 + 1) == !simd<T, Arch>::has_lane_masks);
    CHECK_FALSE(prefers_narrower<T, Arch>(lanes));
}
