#include <xeinsum/kernel/loop_nest.hpp>

#include "../support/both.hpp"

#include <cstdint>

using xeinsum::kernel::loops;
using xeinsum::kernel::odometer;

namespace {

// extent, stride out, stride lhs, stride rhs
constexpr std::int64_t rows[]{2, 30, 5, 0,  //
                              3, 10, 0, 7,  //
                              4, -1, 1, 2};
constexpr loops nest{rows, 4, 3};

}  // namespace

TEST_CASE("parts of a nest") {
    support::check_both([] {
        return nest.iterations() == 24 && nest.first(1).iterations() == 2 &&
               nest.from(1).iterations() == 12 && nest.from(1).extent(0) == 3 &&
               nest.from(2).stride(0, 0) == -1 && nest.first(0).iterations() == 1;
    });
}

TEST_CASE("an odometer visits every iteration in order, then starts again") {
    support::check_both([] {
        odometer<3> at(nest, {0, 1, 2});
        for (int round = 0; round < 2; ++round) {
            for (std::int64_t i = 0; i < 2; ++i) {
                for (std::int64_t j = 0; j < 3; ++j) {
                    for (std::int64_t k = 0; k < 4; ++k) {
                        if (at.offset(0) != 30 * i + 10 * j - k || at.offset(1) != 5 * i + k ||
                            at.offset(2) != 7 * j + 2 * k) {
                            return false;
                        }
                        const bool last = i == 1 && j == 2 && k == 3;
                        if (at.next() == last) {
                            return false;
                        }
                    }
                }
            }
        }
        return true;
    });
}

TEST_CASE("seeking is stepping") {
    support::check_both([] {
        odometer<2> walker(nest, {0, 2});
        for (std::int64_t i = 0; i < nest.iterations(); ++i) {
            odometer<2> seeker(nest, {0, 2});
            seeker.seek(i);
            if (seeker.offset(0) != walker.offset(0) || seeker.offset(1) != walker.offset(1)) {
                return false;
            }
            walker.next();
        }
        return true;
    });
}

TEST_CASE("no loops are one iteration") {
    support::check_both([] {
        odometer<1> at(loops{}, {0});
        return at.offset(0) == 0 && !at.next() && at.offset(0) == 0;
    });
}
