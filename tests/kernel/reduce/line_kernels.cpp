#include <xeinsum/kernel/reduce/line_kernels.hpp>

#include "../../support/instances.hpp"
#include "../../support/shared_nests.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>

namespace {

template <class T, std::size_t Units, std::size_t Fixed, bool Follow = true, bool Apart = true>
constexpr const auto& kernels =
    xeinsum::kernel::line_kernels_of<T, support::native_arch, Units, Fixed, Follow, Apart>::all;

bool exists(auto function) {
    return function != nullptr;
}

}  // namespace

TEST_CASE("a line is shared where there are two") {
    CHECK(exists(kernels<float, 2, 0>.add_shared));
    CHECK_FALSE(exists(kernels<float, 1, 0>.add_shared));
    CHECK_FALSE(exists(kernels<float, 1, 1>.add_shared));
}

TEST_CASE("lines that neither follow each other nor lie apart need one kernel") {
    CHECK(exists(kernels<float, 2, 0>.add));
    CHECK(exists(kernels<float, 2, 0>.put_groups));
    const auto& shared = kernels<float, 2, 0, false, false>;
    CHECK_FALSE(exists(shared.add));
    CHECK_FALSE(exists(shared.add_packed));
    CHECK_FALSE(exists(shared.put_packed));
    CHECK_FALSE(exists(shared.put_groups));
    CHECK(exists(shared.add_shared));
    CHECK(exists(kernels<float, 2, 0, false>.add));
}

TEST_CASE("only numbers with a fraction are packed") {
    CHECK(exists(kernels<float, 1, 0>.put_packed));
    CHECK_FALSE(exists(kernels<std::uint32_t, 1, 0>.put_packed));
    CHECK_FALSE(exists(kernels<std::uint32_t, 1, 0>.put_groups));
}
