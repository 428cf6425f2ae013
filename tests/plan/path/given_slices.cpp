#include <xeinsum/plan/path/given_slices.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

using xeinsum::label;
using xeinsum::label_slices;
using xeinsum::sliced_label;
using xeinsum::planning::given_slices;
using xeinsum::planning::read_slices;

namespace {

const std::vector<std::int64_t> extents{6, 12, 1, 35};
const std::vector<label> output{3, 0};

given_slices read(const std::vector<sliced_label>& wanted) {
    return read_slices(wanted, extents, output);
}

bool same(const label_slices& a, const label_slices& b) {
    return a.id == b.id && a.extent == b.extent && a.count == b.count && a.kept == b.kept;
}

}  // namespace

TEST_CASE("slices are ordered by label, and those of the result are kept") {
    const given_slices found = read({{3, 5}, {1, 0}, {2, 0}, {0, 1}});
    CHECK(found.error.ok());
    REQUIRE(found.slices.size() == 2);  // of labels that are cut indeed
    CHECK(same(found.slices[0], {1, 1, 12, false}));
    CHECK(same(found.slices[1], {3, 7, 5, true}));
    CHECK(read({}).slices.empty());
}

TEST_CASE("slices are cut further") {
    given_slices found = read({{1, 2}, {3, 5}});
    found.cut(std::array{label_slices{0, 2, 3, true}, label_slices{1, 3, 2, false}});
    REQUIRE(found.slices.size() == 3);
    CHECK(same(found.slices[0], {0, 2, 3, true}));
    CHECK(same(found.slices[1], {1, 3, 4, false}));
    CHECK(same(found.slices[2], {3, 7, 5, true}));
}

TEST_CASE("slices that are cut too often cannot be counted") {
    given_slices found;
    found.cut(std::array{label_slices{0, 1, std::int64_t{1} << 61, true}});
    CHECK(found.error.ok());
    found.cut(std::array{label_slices{1, 1, 2, false}});
    CHECK(found.error.code == xeinsum::error_code::memory_limit);
}

TEST_CASE("what is no slice is refused") {
    const auto refused = [](const std::vector<sliced_label>& wanted, std::int64_t found,
                            const char* reason) {
        const given_slices out = read(wanted);
        CAPTURE(reason);
        CHECK(out.slices.empty());
        CHECK(out.error.code == xeinsum::error_code::bad_option);
        CHECK(out.error.found == found);
        REQUIRE(out.error.reason != nullptr);
        CHECK(std::string(out.error.reason).find(reason) != std::string::npos);
    };
    refused({{0, 2}, {4, 0}}, 4, "the equation lacks");
    refused({{-1, 0}}, -1, "the equation lacks");
    refused({{1, 5}}, 5, "does not divide");
    refused({{1, 24}}, 24, "does not divide");
    refused({{1, -2}}, -1, "negative");
    refused({{1, INT64_MIN}}, -1, "negative");
    refused({{1, 2}, {0, 3}, {1, 1}}, 1, "twice");
    const std::vector<std::int64_t> huge{INT64_MAX, 4};
    const std::vector<sliced_label> all{{0, 0}, {1, 0}};
    CHECK(read_slices(all, huge, output).error.code == xeinsum::error_code::bad_option);
}
