#include <xeinsum/plan/path/labels.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

using xeinsum::label;
using xeinsum::planning::path_labels;
using xeinsum::planning::path_problem;

TEST_CASE("labels are numbered by extent, products are those of their extents") {
    const std::vector<std::int64_t> extents{5, 3, 1, 2, 3};
    const path_labels labels(path_problem{.extents = extents});
    CHECK(labels.words() == 1);
    const std::vector<std::size_t> bits{4, 2, 0, 1, 3};
    for (std::size_t l = 0; l < extents.size(); ++l) {
        const std::size_t bit = labels.bit_of(static_cast<label>(l));
        CHECK(bit == bits[l]);
        CHECK(labels.extent(bit) == static_cast<double>(extents[l]));
    }
    CHECK(labels.product(0, 0b01011) == 6);
    CHECK(labels.product(0, 0b11110) == 90);
    const std::uint64_t some = 0b01010;
    CHECK(path_labels<path_problem>::holds(&some, 3));
    CHECK(!path_labels<path_problem>::holds(&some, 2));
}

TEST_CASE("words of one extent are counted, until a label gets another") {
    const std::vector<std::int64_t> extents(100, 6);
    path_labels labels(path_problem{.extents = extents});
    CHECK(labels.words() == 2);
    CHECK(labels.product(1, 0b111) == 216);
    labels.set_extent(65, 1);
    CHECK(labels.product(1, 0b111) == 36);
    labels.set_extent(64, 3);
    CHECK(labels.product(1, 0b111) == 18);
    CHECK(labels.product(0, 0b111) == 216);
}
