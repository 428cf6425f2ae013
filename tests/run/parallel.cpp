#include <xeinsum/run/parallel.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <cstddef>
#include <vector>

using xeinsum::parallel_for;
using xeinsum::pieces_of_work;

namespace {

struct counts {
    std::vector<std::atomic<int>> calls;
    explicit counts(std::size_t n) : calls(n) {}
    [[nodiscard]] pieces_of_work body() const {
        return {this, [](const void* self, std::size_t piece) {
                    auto* c = static_cast<counts*>(const_cast<void*>(self));
                    ++c->calls[piece];
                }};
    }
};

}  // namespace

TEST_CASE("the build's backend runs every piece once") {
    for (const std::size_t count : {1U, 2U, 7U, 40U}) {
        const counts c(count);
        xeinsum::lowerings::run_parallel({}, count, c.body());
        for (const auto& calls : c.calls) {
            CHECK(calls == 1);
        }
    }
}

TEST_CASE("a function of the user's takes its place where there is more than one piece") {
    std::size_t asked = 0;
    auto mine = [&](std::size_t count, pieces_of_work body) {
        asked += count;
        for (std::size_t i = count; i-- > 0;) {
            body(i);
        }
    };
    const counts c(3);
    xeinsum::lowerings::run_parallel(mine, 3, c.body());
    xeinsum::lowerings::run_parallel(mine, 1, c.body());
    CHECK(asked == 3);
    CHECK(c.calls[0] == 2);
    CHECK(c.calls[2] == 1);
    CHECK(xeinsum::lowerings::runs_in_parallel(mine));
    CHECK(xeinsum::lowerings::runs_in_parallel({}) == xeinsum::lowerings::has_threads);
}
