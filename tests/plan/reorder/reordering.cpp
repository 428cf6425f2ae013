#include <xeinsum/plan/reorder/reordering.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace {

/// A row-major pair whose labels are letters: 0 is a.
class pair {
public:
    pair(const std::array<std::string, 3>& terms, const std::vector<std::int64_t>& extents)
        : extents_(extents) {
        for (std::size_t i = 0; i < 3; ++i) {
            std::int64_t stride = 1;
            for (std::size_t a = terms[i].size(); a-- > 0;) {
                const auto l = static_cast<xeinsum::label>(terms[i][a] - 'a');
                labels_[i].insert(labels_[i].begin(), l);
                strides_[i].insert(strides_[i].begin(), stride);
                stride *= extents_[static_cast<std::size_t>(l)];
            }
        }
    }
    pair(const pair&) = delete;
    pair& operator=(const pair&) = delete;

    /// The orders of output, lhs and rhs, those that are copied in capitals; empty if none is.
    std::string around(std::size_t lead) const {
        xeinsum::planning::reordering r({xeinsum::planning::strided_term{labels_[0], strides_[0]},
                                         {labels_[1], strides_[1]},
                                         {labels_[2], strides_[2]}},
                                        extents_);
        std::string text;
        if (r.around(lead)) {
            CHECK_FALSE(r.copies(lead));
            for (const std::size_t array : {1U, 2U, 0U}) {
                text += array == 2 ? "," : array == 0 ? "->" : "";
                if (r.copies(array)) {
                    for (const xeinsum::label l : r.order(array)) {
                        text += static_cast<char>('A' + l);
                    }
                } else {
                    for (const xeinsum::label l : labels_[array]) {
                        text += static_cast<char>('a' + l);
                    }
                }
            }
        }
        return text;
    }

private:
    std::vector<std::int64_t> extents_;
    std::array<std::vector<xeinsum::label>, 3> labels_;
    std::array<std::vector<std::int64_t>, 3> strides_;
};

}  // namespace

TEST_CASE("sides of a matrix product lie as they do in the lead") {
    const pair product({"deb", "deac", "bca"}, {48, 10, 7, 30, 20});
    CHECK(product.around(1) == "deac,ACB->deb");
    CHECK(product.around(2) == "DECA,bca->deb");
    const pair few({"ade", "cafb", "cfbed"}, {4, 5, 8, 25, 7, 64});
    CHECK(few.around(2) == "ACFB,cfbed->AED");
    const pair transposed({"da", "edc", "ceba"}, {51, 6, 24, 4, 20});  // b is summed: no such pair
    CHECK(transposed.around(2) == "DCE,ceba->da");
}

TEST_CASE("an output along batches gets them outside") {
    const pair batches({"dcab", "beca", "ebd"}, {25, 16, 12, 48, 20});
    CHECK(batches.around(1) == "beca,ebd->BDCA");
    const pair columns({"acdb", "beca", "ebd"}, {25, 16, 12, 48, 20});
    CHECK(columns.around(1) == "beca,ebd->BCAD");
}

TEST_CASE("an output along a short side gets the other one inside") {
    const pair few({"bda", "cbd", "ac"}, {6, 30, 512, 33});
    CHECK(few.around(1) == "cbd,ac->ABD");
    const pair many({"bda", "cbd", "ac"}, {17, 30, 512, 33});
    CHECK(many.around(1) == "");
}

TEST_CASE("products lie as the lead does") {
    const pair out({"abc", "ca", "ab"}, {32, 47, 48});
    CHECK(out.around(0) == "AC,ab->abc");
    CHECK(out.around(1) == "ca,ab->CAB");
    const pair in({"cab", "b", "abc"}, {25, 2, 100});
    CHECK(in.around(2) == "b,abc->ABC");
    CHECK(in.around(0) == "");  // lines of two elements
    const pair sum({"adb", "bc", "cbad"}, {25, 24, 10, 8});
    CHECK(sum.around(2) == "CB,cbad->BAD");
    const pair well({"abc", "ab", "bc"}, {5, 6, 7});
    CHECK(well.around(0) == "");
    CHECK(well.around(1) == "");
}

TEST_CASE("orders are those of the terms that were given, which may change afterwards") {
    // ca,ab->abc of 7 x 2, 2 x 5: the output leads, so lhs is copied as ac.
    const std::vector<std::int64_t> extents{2, 5, 7};
    std::array<std::vector<xeinsum::label>, 3> labels{{{0, 1, 2}, {2, 0}, {0, 1}}};
    std::array<std::vector<std::int64_t>, 3> strides{{{35, 7, 1}, {2, 1}, {5, 1}}};
    xeinsum::planning::reordering r({xeinsum::planning::strided_term{labels[0], strides[0]},
                                     {labels[1], strides[1]},
                                     {labels[2], strides[2]}},
                                    extents);
    for (std::size_t array = 0; array < labels.size(); ++array) {
        std::reverse(labels[array].begin(), labels[array].end());
        std::fill(strides[array].begin(), strides[array].end(), 1);
    }
    REQUIRE(r.around(0));
    CHECK(r.copies(1));
    CHECK_FALSE(r.copies(2));
    const auto order = r.order(1);
    CHECK(std::vector<xeinsum::label>(order.begin(), order.end()) ==
          std::vector<xeinsum::label>{0, 2});
}
