#include <xeinsum/kernel/simd/lane_masks.hpp>

#include "../../support/instances.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#if defined(__AVX512VL__)
TEST_CASE_TEMPLATE("so many lanes and no others", T, float, double, std::uint32_t) {
    const auto check = []<class Arch>(Arch) {
        using S = xeinsum::kernel::simd<T, Arch>;
        using masks = xeinsum::kernel::lane_masks<typename S::type, sizeof(T)>;
        const auto from = support::small_numbers<T>(S::lanes, 3);
        for (std::size_t count = 0; count <= S::lanes; ++count) {
            CAPTURE(count);
            const auto mask = masks::first(count);
            std::vector<T> loaded(S::lanes, T(7));
            S::store(loaded.data(), masks::load(from.data(), mask));
            std::vector<T> kept(S::lanes, T(7));
            S::store(kept.data(), masks::keep(S::load(from.data()), mask));
            std::vector<T> stored(S::lanes, T(7));
            masks::store(stored.data(), S::load(from.data()), mask);
            for (std::size_t l = 0; l < S::lanes; ++l) {
                CHECK(loaded[l] == (l < count ? from[l] : T(0)));
                CHECK(kept[l] == loaded[l]);
                CHECK(stored[l] == (l < count ? from[l] : T(7)));
            }
        }
    };
    check(support::native_arch());
    check(xeinsum::kernel::narrower_t<support::native_arch>());
}
#endif
