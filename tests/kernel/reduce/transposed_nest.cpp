#include <xeinsum/kernel/reduce/transposed_nest.hpp>

#include "../../support/instances.hpp"
#include "../../support/nest.hpp"
#include "../../support/shared_kernels.hpp"
#include "../../support/shared_nests.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

using support::nest_row;
using xeinsum::kernel::scaling;
using xeinsum::kernel::transposed_across;
using xeinsum::kernel::transposed_along;
using xeinsum::kernel::transposed_nest;
using xeinsum::kernel::transposed_nest_scratch_bytes;

namespace {

/// Runs a nest and compares every element of the output's memory with the definition.
template <class I>
void check_instance(const std::vector<nest_row>& loops, std::size_t outputs, std::size_t inputs,
                    std::size_t along, std::size_t across) {
    INFO(__PRETTY_FUNCTION__);
    using T = typename I::type;
    constexpr std::size_t elements = 60000;
    const support::nest_rows rows(loops);
    std::vector<std::vector<T>> memory;
    std::vector<const T*> from;
    for (std::size_t i = 0; i < inputs; ++i) {
        memory.push_back(support::small_numbers<T>(elements, 100 * i + 1));
        from.push_back(memory.back().data());
    }
    const xeinsum::kernel::loops over = rows.loops();
    const std::size_t bytes =
        transposed_nest_scratch_bytes(inputs, static_cast<double>(over.iterations()), sizeof(T));
    std::vector<T> scratch((bytes + 64) / sizeof(T));
    auto at = reinterpret_cast<std::uintptr_t>(scratch.data());
    auto* aligned = reinterpret_cast<std::byte*>((at + 63) / 64 * 64);
    for (const auto& [alpha, beta] : {std::pair{T(1), T(0)}, {T(2), T(3)}}) {
        const auto before = support::small_numbers<T>(elements, 900);
        std::vector<T> expected = before;
        std::vector<T> found = before;
        support::evaluate_nest<T>({over.first(outputs), over.from(outputs), inputs}, from,
                                  expected.data(), alpha, beta);
        transposed_nest<T, typename I::arch>(over, outputs, inputs, along, across,
                                             scaling<T>(alpha, beta), aligned)
            .run(from.data(), found.data());
        CHECK(found == expected);
    }
}

template <class... I>
void check_instances(const std::vector<nest_row>& loops, std::size_t outputs, std::size_t inputs,
                     std::size_t along, std::size_t across) {
    (check_instance<I>(loops, outputs, inputs, along, across), ...);
}

/// Not a template, so that nests are written, and compiled, once for all instances.
void check_nest(const std::vector<nest_row>& loops, std::size_t outputs, std::size_t inputs,
                std::size_t along, std::size_t across) {
    check_instances<SUPPORT_ALL_INSTANCES>(loops, outputs, inputs, along, across);
}

constexpr std::int64_t m = transposed_across + 5;
constexpr std::int64_t n = transposed_along + 11;

}  // namespace

TEST_CASE("a sum over two loops, along which two inputs lie") {
    check_nest({{m, 0, n, 1}, {n, 0, 1, m}}, 0, 2, 1, 0);
    check_nest({{n, 0, 1, m}, {m, 0, n, 1}}, 0, 2, 0, 1);
    check_nest({{3, 2, n * m, 7}, {17, 0, 1, 100}, {33, 0, 40, 1}}, 1, 2, 1, 2);
}

TEST_CASE("sums along one of two loops") {
    check_nest({{m, 1, n, 1}, {n, 0, 1, m}}, 1, 2, 1, 0);
    check_nest({{m, 3, n, 1}, {n, 0, 1, m}}, 1, 2, 1, 0);
    check_nest({{n, 1, 1, m}, {m, 0, n, 1}}, 1, 2, 0, 1);
    check_nest({{2, 300, 5, 0}, {n, 1, 1, m}, {3, 0, 7, 11}, {m, 0, n, 1}}, 2, 2, 1, 3);
}

TEST_CASE("products without a sum") {
    check_nest({{m, n, n, 1}, {n, 1, 1, m}}, 2, 2, 1, 0);
    check_nest({{2, n * m, 0, 3}, {m, n, n, 1}, {n, 1, 1, m}}, 3, 2, 2, 1);
}

TEST_CASE("products of inputs that all lie across") {
    check_nest({{m, n, 1, 1}, {n, 1, m, m}}, 2, 2, 1, 0);
    check_nest({{m, n, 1, 0}, {n, 1, m, 3}}, 2, 2, 1, 0);
}

TEST_CASE("sums along an input, put where the output has them") {
    check_nest({{n, 3, 1}, {m, 0, n}}, 1, 1, 0, 1);
    check_nest({{2, 1, n * m}, {n, 2, 1}, {m, 0, n}}, 2, 1, 1, 2);
    check_nest({{3, 1, 5, 0}, {n, 3, 1, 7}, {m, 0, n, 1}}, 2, 2, 1, 2);
}

TEST_CASE("inputs that are the same across are copied, others stay where they lie") {
    check_nest({{m, 1, n, 0}, {n, 0, 1, 2}}, 1, 2, 1, 0);
    check_nest({{n + 3, 2, 70, 0}, {31, 0, 2, 0}, {2, 0, 1, 7}}, 1, 2, 2, 0);
    check_nest({{2, 1, 20000, 0}, {transposed_along * transposed_across + 9, 0, 1, 3}}, 1, 2, 1, 0);
    check_nest({{m, 1, n, 0, 1}, {n, 0, 1, 3, m}}, 1, 3, 1, 0);
    check_nest({{m, n, n, 1, 0, 1}, {n, 1, 1, m, 5, 0}}, 2, 4, 1, 0);
}
