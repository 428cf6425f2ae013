#include <xeinsum/kernel/reduce/multiply_reduce.hpp>

#include "../../support/aligned_bytes.hpp"
#include "../../support/instances.hpp"
#include "../../support/nest.hpp"
#include "../../support/shared_kernels.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <vector>

using support::nest_row;
using xeinsum::kernel::loop_nest;
using xeinsum::kernel::scaling;
using xeinsum::kernel::step_kinds;
using xeinsum::kernel::vector_loop;

namespace {

/// Runs a nest and compares every element of the output's memory with the definition.
template <class I>
void check_instance(const std::vector<nest_row>& output, const std::vector<nest_row>& contracted,
                    vector_loop along, std::size_t inputs, bool far) {
    INFO(__PRETTY_FUNCTION__);
    using T = typename I::type;
    const support::nest_rows outer(output);
    const support::nest_rows inner(contracted);
    const loop_nest nest{outer.loops(), inner.loops(), inputs, far};
    std::vector<std::vector<T>> memory;
    std::vector<const T*> from;
    for (std::size_t i = 0; i < inputs; ++i) {
        memory.push_back(support::small_numbers<T>(4000, 100 * i + 1));
        from.push_back(memory.back().data() + 1000);
    }
    const bool in_scratch =
        xeinsum::kernel::sums_in_scratch(along, contracted.size(), !output.empty(), far);
    support::aligned_bytes scratch(
        xeinsum::kernel::multiply_reduce_scratch_bytes(inputs, in_scratch));
    for (const auto& [alpha, beta] : {std::pair{T(1), T(0)}, {T(2), T(3)}}) {
        const auto before = support::small_numbers<T>(4000, 900);
        std::vector<T> expected = before;
        support::evaluate_nest<T>(nest, from, expected.data() + 1000, alpha, beta);
        const scaling<T> scale(alpha, beta);
        const auto check = [&]<step_kinds Kinds>() {
            std::vector<T> found = before;
            xeinsum::kernel::multiply_reduce<T, typename I::arch, Kinds>(
                nest, along, from.data(), found.data() + 1000, scale, scratch.data());
            CHECK(found == expected);
        };
        check.template operator()<xeinsum::kernel::all_steps>();
        // The least kinds that the nest is of.
        step_kinds least = step_kinds::of_inputs(inputs).of_nests();
        least.sums = !contracted.empty();
        least.batch = false;
        for (const nest_row& row : output) {
            least.batch = least.batch || (inputs == 2 && row[2] != 0 && row[3] != 0);
        }
        const auto check_least = [&]<step_kinds... Kinds>() {
            ((least == Kinds ? check.template operator()<Kinds>() : void()), ...);
        };
        using namespace xeinsum::kernel;
        check_least.template
        operator()<copy_steps, sum_steps, product_steps.of_nests(), batch_product_steps.of_nests(),
                   nest_steps.of_nests(), batch_nest_steps.of_nests()>();
        // Of exactly two inputs, one contracted loop at most.
        least.several = contracted.size() > 1;
        check_least
            .template operator()<ordered_product_steps.of_nests(),
                                 ordered_batch_product_steps.of_nests(), matrix_steps.of_nests()>();
    }
}

template <class... I>
void check_instances(const std::vector<nest_row>& output, const std::vector<nest_row>& contracted,
                     vector_loop along, std::size_t inputs, bool far) {
    (check_instance<I>(output, contracted, along, inputs, far), ...);
}

/// Not a template, so that nests are written, and compiled, once for all instances.
void check_nest(const std::vector<nest_row>& output, const std::vector<nest_row>& contracted,
                vector_loop along, std::size_t inputs, bool far = false) {
    check_instances<SUPPORT_ALL_INSTANCES>(output, contracted, along, inputs, far);
}

}  // namespace

TEST_CASE("sums along the output's vectors") {
    for (const std::int64_t n : {1, 3, 8, 17, 40, 71}) {
        check_nest({{3, 80, 0}, {n, 1, 1}}, {{5, 0, n}}, vector_loop::output, 1);
        check_nest({{n, 1, 1, 1}}, {{4, 0, n, n}}, vector_loop::output, 2);
        check_nest({{2, 75, 5, 0}, {n, 1, 0, 1}}, {{5, 0, 1, n}}, vector_loop::output, 2);
        check_nest({{n, 1, 1, 7}}, {{2, 0, 71, 3}, {3, 0, 200, -1}}, vector_loop::output, 2);
    }
}

TEST_CASE("products without a sum") {
    for (const std::int64_t n : {1, 7, 16, 50}) {
        check_nest({{3, 60, n, 0}, {n, 1, 1, 1}}, {}, vector_loop::output, 2);
        check_nest({{3, 60, 1, 0, 1}, {n, 1, 0, 1, 0}}, {}, vector_loop::output, 3);
        check_nest({{n, 2, 1}}, {}, vector_loop::none, 1);
    }
}

TEST_CASE("sums along vectors of the inputs") {
    for (const std::int64_t n : {1, 5, 8, 33, 64, 131}) {
        check_nest({{4, 3, n}}, {{n, 0, 1}}, vector_loop::contracted, 1);
        check_nest({{4, 1, n, 0}}, {{n, 0, 1, 1}}, vector_loop::contracted, 2);
        check_nest({{4, 1, 0, 0}}, {{n, 0, 1, 1}}, vector_loop::contracted, 2);
        check_nest({{4, 1, n, 0}}, {{n, 0, 1, 0}}, vector_loop::contracted, 2);
        check_nest({{2, -5, n, 1}}, {{3, 0, 150, 7}, {n, 0, 1, 0}}, vector_loop::contracted, 2);
        check_nest({{2, 1, n, 1, 0}}, {{3, 0, 140, 7, 9}, {n, 0, 1, 0, 1}}, vector_loop::contracted,
                   3);
    }
}

TEST_CASE("three inputs side by side, or two and one in place") {
    for (const std::int64_t n : {5, 16, 33, 70}) {
        // Nine and six terms are eight or four at a time, and what is left.
        for (const std::int64_t terms : {9, 6}) {
            check_nest({{2, 80, 800, 0, 70}, {n, 1, 1, 1, 1}}, {{terms, 0, 71, 73, 140}},
                       vector_loop::output, 3);
            check_nest({{2, 80, 0, 9, 640}, {n, 1, 1, 0, 1}}, {{terms, 0, 72, 1, 71}},
                       vector_loop::output, 3);
        }
        check_nest({{3, 71, 70, 0, 72}, {n, 1, 1, 1, 1}}, {}, vector_loop::output, 3);
        check_nest({{5, 1, 70, 0, 71}}, {{n, 0, 1, 1, 1}}, vector_loop::contracted, 3);
        check_nest({{5, 1, 0, 1, 73}}, {{2, 0, 90, 6, 400}, {n, 0, 1, 0, 1}},
                   vector_loop::contracted, 3);
    }
}

TEST_CASE("scalar loops over strides of any kind") {
    check_nest({{4, 3, -5, 7}, {3, 40, 20, 0}}, {{5, 0, 2, -3}, {2, 0, 60, 11}}, vector_loop::none,
               2);
    check_nest({}, {{7, 0, 3, 5}}, vector_loop::none, 2);
    check_nest({}, {}, vector_loop::none, 3);
    check_nest({{5, 1, 2, 3, 4, 5, 6, 7}}, {{3, 0, 1, 2, 3, 4, 5, 6}}, vector_loop::none, 6);
    for (const bool far : {false, true}) {
        check_nest({{19, 1, 1, 0, 1, 2, 1, 0}}, {{3, 0, 20, 2, 30, 4, 5, 6}}, vector_loop::output,
                   6, far);
    }
}

TEST_CASE("lanes beyond the end of a sum add nothing, not even 0 * Inf") {
    using T = float;
    const T infinity = std::numeric_limits<T>::infinity();
    // What lies behind the 3 elements of the sum is infinite.
    const std::vector<T> a{1, 2, 3, infinity, infinity, infinity, infinity, infinity, infinity};
    const std::vector<T> b{4, 5, 6, 0, 0, 0, 0, 0, 0};
    const support::nest_rows inner({{3, 0, 1, 1}});
    const loop_nest nest{{}, inner.loops(), 2};
    const T* from[]{a.data(), b.data()};
    T out = std::numeric_limits<T>::quiet_NaN();
    xeinsum::kernel::multiply_reduce<T, support::native_arch>(nest, vector_loop::contracted, from,
                                                              &out, scaling<T>(), nullptr);
    CHECK(out == 32);
}

TEST_CASE("types without registers, and narrow ones, take scalar loops") {
    const std::vector<std::int8_t> a{100, 100, 100};
    const support::nest_rows inner({{3, 0, 1}});
    const std::int8_t* from[]{a.data()};
    std::int8_t out = 0;
    xeinsum::kernel::multiply_reduce<std::int8_t, support::native_arch>(
        {{}, inner.loops(), 1}, vector_loop::none, from, &out, scaling<std::int8_t>(), nullptr);
    CHECK(out == 44);  // 300 wraps once, at the end
}
