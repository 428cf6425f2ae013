// Results are the same bits for any number of threads: those of a crew that the test brings, and
// those of the build's backend.
#include <xeinsum/xeinsum.hpp>

#include "support/arrays.hpp"
#include "support/crew.hpp"
#include "support/shared_calls.hpp"

#include <xeinsum/plan.hpp>
#include <xeinsum/reference/bound.hpp>
#include <xeinsum/reference/einsum.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <complex>
#include <cstdint>
#include <cstring>
#include <span>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

using support::fractions;
using xeinsum::lowering;
using xeinsum::options;
using xeinsum::scale;
namespace reference = xeinsum::reference;

namespace {

struct shapes_of_call {
    const char* equation;
    std::vector<std::vector<std::size_t>> shapes;
    lowering forced = lowering::automatic;
};

/// Calls whose steps are long enough to be cut, along every kind of mode.
const std::vector<shapes_of_call>& calls() {
    constexpr auto depthwise = lowering::depthwise_convolution;
    constexpr auto one_pass = lowering::broadcast_multiply_reduce;
    static const std::vector<shapes_of_call> list{
        {"ij,jk->ik", {{203, 101}, {101, 150}}},   // rows
        {"ij,jk->ik", {{37, 90}, {90, 1000}}},     // columns
        {"ij,jk->ik", {{7, 190}, {190, 4003}}},    // columns across the depth
        {"ij,kj->ik", {{13, 900}, {1700, 900}}},   // columns along the depth
        {"ij,kj->ik", {{5, 30000}, {60, 30000}}},  // terms along the depth
        {"ij,kj->ik",
         {{20, 5000}, {40, 5000}}},  // few rows in parts, which cut the depth as all do
        {"adb,cd->cba", {{50, 60, 170}, {24, 60}}},        // columns of staged results
        {"ij,jk->ki", {{700, 150}, {150, 33}}},            // operands exchanged
        {"ki,kj->ij", {{30000, 7}, {30000, 12}}},          // sums
        {"ki,kj->ij", {{520, 300}, {520, 300}}},           // larger blocks in pieces
        {"aij,ajk->ik", {{9, 7, 2000}, {9, 2000, 11}}},    // one of two sums
        {"bij,bjk->bik", {{5, 90, 70}, {5, 70, 61}}},      // batch or rows
        {"bij,bjk->bik", {{3, 18, 3000}, {3, 3000, 32}}},  // two modes
        {"ij,jk->ik", {{150, 101}, {101, 70}}, one_pass},
        {"tbc,tc->bc", {{1500, 22, 90}, {1500, 90}}, one_pass},  // a row that a panel leaves over
        {"tc,tc->c", {{1000, 1500}, {1000, 1500}}, one_pass},  // lines that fit registers in pieces
        {"nkctv,kvw->nctw", {{3, 3, 16, 20, 25}, {3, 25, 25}}},
        {"nctw,cd->ndtw", {{3, 16, 30, 25}, {16, 48}}},
        {"bhqd,bkhd->bhqk", {{2, 3, 64, 64}, {2, 61, 3, 64}}},
        {"bld,bln,bld->bldn", {{3, 51, 203}, {3, 51, 16}, {3, 51, 203}}},
        {"bchw,bchw->bc", {{13, 56, 34, 34}, {13, 56, 34, 34}}, depthwise},
        {"zabcde,zabcdef->zcdef", {{1, 50, 3, 4, 13, 8}, {1, 50, 3, 4, 13, 8, 32}}, depthwise},
        {"cij,cx->xij", {{20, 80, 90}, {20, 9}}},
        {"ij,jk->ik", {{6001, 24}, {24, 40}}},
        {"ij,jk->ik", {{13, 40}, {40, 5003}}},
        {"ij,kj->ik", {{5, 70}, {5003, 70}}},
        {"i,i->", {{400003}, {400003}}},
        {"ij->i", {{1003, 777}}},
        {"ij->j", {{1003, 777}}},
        {"ij->j", {{100003, 7}}},
        {"ij,j->i", {{1003, 777}, {777}}},
        {"ji,j->i", {{1003, 777}, {1003}}},
        {"ij->ji", {{1003, 777}}},
        {"ijk->kij", {{103, 77, 83}}},
        {"bld,dn->bldn", {{2, 200, 77}, {77, 16}}},
        {"ij,jk,kl->il", {{120, 150}, {150, 100}, {100, 110}}},
    };
    return list;
}

template <class T>
bool same_bits(const xt::xarray<T>& a, const xt::xarray<T>& b) {
    return a.shape() == b.shape() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

}  // namespace

TEST_CASE_TEMPLATE("results are the same bits for any number of threads", T, float, double,
                   std::complex<float>, std::int32_t) {
    std::size_t cut = 0;
    std::size_t sums = 0;
    for (const shapes_of_call& c : calls()) {
        CAPTURE(c.equation);
        std::vector<xt::xarray<T>> operands;
        for (const auto& s : c.shapes) {
            operands.push_back(fractions<T>(s, static_cast<unsigned>(operands.size())));
        }
        const xt::xarray<T> one = xeinsum::einsum(c.equation, operands, {.lowering = c.forced});
        if constexpr (std::is_same_v<T, float>) {
            const auto ratio = reference::worst_ratio(one, reference::einsum(c.equation, operands),
                                                      reference::bound(c.equation, operands));
            CHECK(ratio <= 1);
        }
        xt::xarray<T> doubled = one;
        xeinsum::einsum_to(c.equation, doubled, scale{T(1), T(1)}, operands,
                           {.lowering = c.forced});
        for (const unsigned threads : {2U, 3U, 4U, 7U}) {
            if (!std::is_same_v<T, float> && threads % 2 == 0) {
                continue;
            }
            CAPTURE(threads);
            const support::crew crew;
            const options wanted{.lowering = c.forced, .threads = threads, .parallel = crew};
            CHECK(same_bits(xeinsum::einsum(c.equation, operands, wanted), one));
            xt::xarray<T> out = one;
            xeinsum::einsum_to(c.equation, out, scale{T(1), T(1)}, operands, wanted);
            CHECK(same_bits(out, doubled));
            // The build's own threads.
            const options own{.lowering = c.forced, .threads = threads};
            CHECK(same_bits(xeinsum::einsum(c.equation, operands, own), one));
            const auto plan = xeinsum::make_plan<T>(c.equation, c.shapes, own);
            bool crewed = false;
            for (const xeinsum::step& s : plan.steps()) {
                crewed = crewed || s.how.split.workers > 1;
                sums += s.how.split.between_terms ? 1 : 0;
            }
            CHECK((crew.calls() > 0) == crewed);
            cut += crewed ? 1 : 0;
        }
    }
    // How many exactly depends on the width of vectors.
    CHECK(cut > calls().size());
    CHECK(sums > 4);
}

TEST_CASE("plans for several threads run on any, and in as many bytes as they say") {
    for (const shapes_of_call& c : calls()) {
        if (c.shapes.size() != 2) {
            continue;
        }
        CAPTURE(c.equation);
        const auto a = fractions<float>(c.shapes[0], 8), b = fractions<float>(c.shapes[1], 9);
        const auto one = xeinsum::make_plan<float>(c.equation, c.shapes, {.lowering = c.forced});
        const auto four =
            xeinsum::make_plan<float>(c.equation, c.shapes, {.lowering = c.forced, .threads = 4});
        const std::vector<std::size_t> shape(one.output_extents().begin(),
                                             one.output_extents().end());
        xt::xarray<float> expected = xt::zeros<float>(shape), out = expected;
        auto memory = one.make_workspace();
        one.run(expected, memory, a, b);
        // Bytes behind the workspace stay as they are.
        constexpr std::size_t guard = std::size_t{1} << 15U;
        std::vector<std::byte> bytes(four.workspace_bytes() + guard, std::byte{77});
        const std::span<std::byte> space(bytes.data(), four.workspace_bytes());
        const support::crew crew;
        four.run(crew, out, space, a, b);
        CHECK(same_bits(out, expected));
        four.run(crew, out, scale{1.0F, 1.0F}, space, a, b);
        xt::xarray<float> doubled = expected;
        one.run(doubled, scale{1.0F, 1.0F}, memory, a, b);
        CHECK(same_bits(out, doubled));
        out.fill(0);
        four.run(out, space, a, b);
        CHECK(same_bits(out, expected));
        const std::vector<xt::xarray<float>> list{a, b};
        const int calls_before = crew.calls();
        out.fill(0);
        four.run(crew, out, space, list);
        CHECK(same_bits(out, expected));
        four.run(crew, out, scale{1.0F, 1.0F}, space, list);
        CHECK(same_bits(out, doubled));
        CHECK(crew.calls() == 2 * calls_before);
        CHECK(std::all_of(bytes.end() - guard, bytes.end(),
                          [](std::byte x) { return x == std::byte{77}; }));
        if (!space.empty()) {
            CHECK_THROWS_AS(four.run(out, space.first(space.size() - 1), a, b),
                            xeinsum::einsum_error);
        }
        // Other layouts than planned: the same for any number of threads.
        const xt::xarray<float, xt::layout_type::column_major> ca = a, cb = b;
        xt::xarray<float, xt::layout_type::column_major> transposed = expected, other = expected;
        one.run(transposed, memory, ca, cb);
        four.run(crew, other, space, ca, cb);
        CHECK(std::memcmp(transposed.data(), other.data(), transposed.size() * sizeof(float)) == 0);
    }
}

TEST_CASE("a crew is asked only for steps that are worth it") {
    const support::crew crew;
    const auto a = fractions<float>({30, 30}, 1), b = fractions<float>({30, 30}, 2);
    static_cast<void>(xeinsum::einsum("ij,jk->ik", options{.threads = 4, .parallel = crew}, a, b));
    CHECK(crew.calls() == 0);
    const auto big = fractions<float>({300, 300}, 1);
    static_cast<void>(
        xeinsum::einsum<"ij,jk->ik">(options{.threads = 4, .parallel = crew}, big, big));
    CHECK(crew.calls() == 1);
}

TEST_CASE("plans print on whose threads they run") {
    std::ostringstream text;
    text << xeinsum::make_plan<float>("ij,jk->ik", {{300, 310}, {310, 320}}, {.threads = 2});
    const auto prints = [&](const char* part) {
        return text.str().find(part) != std::string::npos;
    };
    const bool has_threads = xeinsum::thread_backend() != "none";
    CHECK(prints("; 2 at the same time\n") == has_threads);
    CHECK(
        prints(
            "; 1 at a time, as this build has no threads; 2 where run is given a parallel_for\n") ==
        !has_threads);
}
