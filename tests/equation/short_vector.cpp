#include <xeinsum/equation/short_vector.hpp>

#include <doctest/doctest.h>

#include <utility>
#include <vector>

namespace {

using list = xeinsum::short_vector<int, 3>;

std::vector<int> items(const list& l) {
    return {l.begin(), l.end()};
}
bool lies_inside(const list& l) {
    const auto* at = reinterpret_cast<const char*>(l.data());
    const auto* object = reinterpret_cast<const char*>(&l);
    return at >= object && at < object + sizeof(l);
}

}  // namespace

TEST_CASE("a short_vector leaves the object when it grows beyond its room, and keeps its items") {
    list l;
    CHECK(l.empty());
    for (const int i : {5, 6, 7}) {
        l.push_back(i);
        CHECK(lies_inside(l));
    }
    l.push_back(l.front());
    CHECK(!lies_inside(l));
    CHECK(items(l) == std::vector<int>{5, 6, 7, 5});
    l.reserve(100);
    const int* const before = l.data();
    l.resize(100, 9);
    CHECK(l.data() == before);
    CHECK((l[3] == 5 && l[4] == 9 && l.back() == 9));
    l.resize(2);
    CHECK(items(l) == std::vector<int>{5, 6});
    l.clear();
    CHECK((l.size() == 0 && l.begin() == l.end()));
}

TEST_CASE("short and long lists are copied, moved and assigned") {
    const std::vector<int> few{1, 2}, many{3, 4, 5, 6, 7};
    for (const auto& from : {few, many}) {
        for (const auto& to : {few, many}) {
            const list original(from.begin(), from.end());
            list copy = original;
            copy.front() = 8;
            CHECK(items(original) == from);
            list target(to.begin(), to.end());
            target = original;
            CHECK(items(target) == from);
            CHECK(target.data() != original.data());
            target = std::move(copy);
            CHECK(target.front() == 8);
            CHECK(target.size() == from.size());
            copy = list(to.begin(), to.end());
            CHECK(items(copy) == to);
            const list moved = std::move(target);
            CHECK(moved.front() == 8);
            CHECK(moved.back() == from.back());
            CHECK(lies_inside(moved) == (from.size() <= 3));
        }
    }
}

TEST_CASE("a short_vector is made of items, of a count or of a part of another list") {
    CHECK(items(list{4, 2}) == std::vector<int>{4, 2});
    CHECK(items(list(4, 2)) == std::vector<int>{2, 2, 2, 2});
    CHECK(items(list(2)) == std::vector<int>{0, 0});
    list l{1};
    const list other{2, 3, 4, 5};
    l.append(other.begin() + 1, other.end());
    CHECK(items(l) == std::vector<int>{1, 3, 4, 5});
}
