#include <xeinsum/plan/parallel_for.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <type_traits>
#include <vector>

using xeinsum::parallel_for;
using xeinsum::pieces_of_work;

namespace {

struct callable_with_anything {
    template <class... A>
    int operator()(A...) const {
        return 0;
    }
};

}  // namespace

TEST_CASE("a function that runs pieces is referred to, not copied") {
    std::vector<std::size_t> seen;
    const pieces_of_work body(&seen, [](const void* object, std::size_t piece) {
        auto* list = static_cast<std::vector<std::size_t>*>(const_cast<void*>(object));
        list->push_back(piece);
    });
    int calls = 0;
    auto backwards = [&calls](std::size_t count, pieces_of_work work) {
        ++calls;
        while (count-- > 0) {
            work(count);
        }
    };
    const parallel_for reference(backwards);
    CHECK(static_cast<bool>(reference));
    reference(3, body);
    CHECK(seen == std::vector<std::size_t>{2, 1, 0});
    const auto& constant = backwards;
    const parallel_for other = reference;
    other(1, body);
    const parallel_for to_constant(constant);
    to_constant(2, body);
    CHECK(calls == 3);
    CHECK(seen.size() == 6);
    CHECK_FALSE(static_cast<bool>(parallel_for{}));
}

TEST_CASE("what cannot run pieces, or would be gone too soon, is no parallel_for") {
    const auto pool = [](std::size_t, pieces_of_work) {};
    CHECK_FALSE(std::is_convertible_v<callable_with_anything&, parallel_for>);
    CHECK(std::is_convertible_v<decltype(pool)&, parallel_for>);
    CHECK_FALSE(std::is_convertible_v<std::remove_const_t<decltype(pool)>, parallel_for>);
    CHECK_FALSE(std::is_convertible_v<int&, parallel_for>);
}
