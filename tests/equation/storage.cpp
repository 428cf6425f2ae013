#include <xeinsum/equation/storage.hpp>

#include "../support/both.hpp"

#include <type_traits>

TEST_CASE("a fixed_vector grows to its capacity and shrinks") {
    support::check_both([] {
        xeinsum::fixed_vector<int, 4> v;
        v.reserve(4);
        v.push_back(7);
        v.push_back(8);
        v.resize(4, 9);
        const bool grown = v.size() == 4 && v[0] == 7 && v[1] == 8 && v[2] == 9 && v.back() == 9;
        v.resize(1);
        const bool shrunk = v.size() == 1 && v.back() == 7 && v.end() == v.begin() + 1;
        v.clear();
        return grown && shrunk && v.empty();
    });
}

TEST_CASE("a copy has the same elements and its own memory") {
    support::check_both([] {
        xeinsum::fixed_vector<int, 3> a;
        a.push_back(1);
        a.push_back(2);
        auto b = a;
        b[0] = 5;
        a = b;
        b[1] = 6;
        return a.size() == 2 && a[0] == 5 && a[1] == 2 && b[1] == 6;
    });
}

TEST_CASE("storages name the list they use") {
    static_assert(std::is_same_v<xeinsum::heap_storage::list<int>, xeinsum::short_vector<int, 32>>);
    static_assert(
        std::is_same_v<xeinsum::fixed_storage<5>::list<int>, xeinsum::fixed_vector<int, 5>>);
    CHECK(xeinsum::fixed_storage<5>::list<int>().empty());
}
