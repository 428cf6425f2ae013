#include <xeinsum/kernel/reduce/cascade.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace {

using integers = xeinsum::kernel::number_sums<std::uint64_t>;

/// Sums as the texts that tell how they were formed.
struct texts {
    static std::string add(const std::string& a, const std::string& b) {
        std::string sum = "(";
        sum += a;
        sum += b;
        sum += ')';
        return sum;
    }
};

}  // namespace

TEST_CASE("every block is counted once, whatever their number") {
    for (const std::uint64_t blocks : {1U, 2U, 15U, 16U, 17U, 255U, 256U, 257U, 4096U, 5000U,
                                       65536U, 65537U, 1048575U, 1048576U, 2000003U}) {
        CAPTURE(blocks);
        xeinsum::kernel::cascade<std::uint64_t, 3, integers> sums;
        CHECK(sums.empty());
        for (std::uint64_t b = 0; b < blocks; ++b) {
            const std::array<std::uint64_t, 2> block{b, 3 * b + 1};
            sums.add_block(block.data(), block.size());
        }
        const std::uint64_t* total = sums.total(2);
        CHECK(total[0] == blocks * (blocks - 1) / 2);
        CHECK(total[1] == 3 * (blocks * (blocks - 1) / 2) + blocks);
    }
}

TEST_CASE("sixteen blocks make one of the next level") {
    xeinsum::kernel::cascade<std::string, 1, texts> sums;
    for (const char letter : std::string("abcdefghijklmnopqrs")) {
        const std::string block(1, letter);
        sums.add_block(&block, 1);
    }
    // From q on, a new sixteen; the shorter sum is added to the longer one.
    CHECK(*sums.total(1) == "((((((((((((((((ab)c)d)e)f)g)h)i)j)k)l)m)n)o)p)((qr)s))");
}

TEST_CASE("blocks that are added at once count as many") {
    using levels = xeinsum::kernel::cascade<std::uint64_t, 1, integers>;
    levels one_by_one;
    levels at_once;
    for (std::uint64_t b = 1; b <= 40; ++b) {
        one_by_one.add_block(&b, 1);
    }
    CHECK(at_once.room() == 16);
    for (const std::int64_t blocks : {7, 9, 16, 8}) {
        CHECK(at_once.room() >= blocks);
        const bool first = at_once.is_first();
        *at_once.block() =
            (first ? 0 : *at_once.block()) + 100 * static_cast<std::uint64_t>(blocks);
        at_once.end_block(1, blocks);
    }
    CHECK(at_once.room() == 8);
    CHECK(one_by_one.room() == 8);
    CHECK(*at_once.total(1) == 4000);
    CHECK(*one_by_one.total(1) == 820);
}

TEST_CASE("entries that are not full join") {
    const std::string rest = "z";
    xeinsum::kernel::cascade<std::string, 1, texts> sums;
    sums.add_block(&rest, 1);
    CHECK(*sums.total(1) == "z");
    xeinsum::kernel::cascade<std::string, 1, texts> full;
    for (const char letter : std::string("abcdefghijklmnop")) {
        const std::string block(1, letter);
        full.add_block(&block, 1);
    }
    full.add_block(&rest, 1);
    CHECK(*full.total(1) == "((((((((((((((((ab)c)d)e)f)g)h)i)j)k)l)m)n)o)p)z)");
}

TEST_CASE("blocks may be written in place") {
    xeinsum::kernel::cascade<std::uint64_t, 2, integers> sums;
    for (std::uint64_t b = 1; b <= 40; ++b) {
        if (sums.is_first()) {
            sums.block()[0] = b;
            sums.block()[1] = 2 * b;
        } else {
            sums.block()[0] += b;
            sums.block()[1] += 2 * b;
        }
        sums.end_block(2);
    }
    CHECK(sums.total(2)[0] == 820);
}
