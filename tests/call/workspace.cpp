#include <xeinsum/call/workspace.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <span>
#include <vector>

TEST_CASE("a workspace is aligned memory") {
    xeinsum::workspace w(1000);
    CHECK(w.size() == 1000);
    CHECK(reinterpret_cast<std::uintptr_t>(w.data()) % xeinsum::workspace_alignment == 0);
    const std::span<std::byte> bytes = w;
    CHECK(bytes.size() == 1000);
    w.data()[999] = std::byte{1};
    const xeinsum::workspace moved = std::move(w);
    CHECK(moved.size() == 1000);
    // NOLINTBEGIN(bugprone-use-after-move)
    CHECK(w.size() == 0);
    CHECK(w.begin() == w.end());
    // NOLINTEND(bugprone-use-after-move)
}

TEST_CASE("the memory of a run is aligned, and on the stack where it is little") {
    xeinsum::detail::run_memory memory;
    const auto is_inside = [&](const std::byte* p) {
        const auto* begin = reinterpret_cast<const std::byte*>(&memory);
        return p >= begin && p < begin + sizeof(memory);
    };
    for (const std::size_t bytes :
         {std::size_t{0}, xeinsum::small_workspace_bytes, xeinsum::small_workspace_bytes + 1}) {
        const auto given = memory(bytes);
        CHECK(given.size() == bytes);
        CHECK(reinterpret_cast<std::uintptr_t>(given.data()) % xeinsum::workspace_alignment == 0);
        CHECK(is_inside(given.data()) == (bytes <= xeinsum::small_workspace_bytes));
    }
}

TEST_CASE("memory is aligned by skipping less than a cache line") {
    std::vector<std::byte> memory(200);
    for (std::size_t skip = 0; skip < 70; ++skip) {
        std::byte* from = memory.data() + skip;
        std::byte* to = xeinsum::aligned(from);
        CHECK(reinterpret_cast<std::uintptr_t>(to) % xeinsum::workspace_alignment == 0);
        CHECK(to >= from);
        CHECK(to - from < static_cast<std::ptrdiff_t>(xeinsum::workspace_alignment));
    }
}
