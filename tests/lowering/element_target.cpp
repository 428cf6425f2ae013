#include <xeinsum/lowering/element_target.hpp>

#include "../support/both.hpp"
#include "../support/instances.hpp"

#include <complex>
#include <cstdint>

using xeinsum::lowerings::target_of;

TEST_CASE("a target tells what the kernels of a type are like") {
    support::check_both([] {
        constexpr auto t = target_of<float, support::native_arch>();
        constexpr auto b = xeinsum::kernel::blocking_of<float, support::native_arch>;
        return t.element_bytes == 4 &&
               t.lanes == xeinsum::kernel::simd<float, support::native_arch>::lanes &&
               t.mr == b.mr && t.nr == b.nv * t.lanes && t.kc == b.kc && !t.fused_only;
    });
    support::check_both([] {
        return target_of<std::complex<double>, support::native_arch>().flop_weight == 4 &&
               target_of<std::int32_t, support::native_arch>().lanes ==
                   xeinsum::kernel::simd<std::uint32_t, support::native_arch>::lanes;
    });
    support::check_both([] {
        constexpr auto t = target_of<std::int8_t, support::native_arch>();
        return t.fused_only && t.element_bytes == 1;
    });
}
