// failure_of of check_case.hpp, instantiated by one file for each group of element types; for
// "ij,jk->ik" in float that is check_real.cpp.
#pragma once

#include "check_case.hpp"

#include "case_memory.hpp"
#include "label_loops.hpp"
#include "small_integers.hpp"
#include "ways.hpp"

#include <xeinsum/equation/error.hpp>

#include <algorithm>
#include <complex>
#include <cstddef>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

namespace random_calls {

template <class T>
class case_check {
public:
    explicit case_check(const random_case& c)
        : case_(c), loops_(c), memory_(c, loops_), alpha_(number(c.alpha)), beta_(number(c.beta)) {
        write_elements();
        for (stretch& s : memory_.stretches) {
            s.keep();
        }
    }

    [[nodiscard]] std::string run() {
        std::array<const T*, most_operands> first{};
        for (std::size_t i = 0; i < memory_.operands.size(); ++i) {
            first[i] = memory_.operands[i].first;
        }
        sums_ = label_sums<T>::of(loops_, first);
        const call_in_its_way<T> call(case_, memory_, alpha_, beta_);
        try {
            if (case_.way == call_way::einsum) {
                const std::string failure = difference_of(call.einsum());
                return failure.empty() ? difference_outside() : failure;
            }
            if (case_.way == call_way::einsum_to) {
                call.einsum_to();
            } else if (!call.plan()) {
                return "the workspace is not as promised";
            }
        } catch (const xeinsum::einsum_error& e) {
            if (!may_refuse(e.code())) {
                return std::string("refused: ") + e.what();
            }
            ++call_counts::all().refused;
            return difference_outside();
        }
        const std::string failure = difference_in_output();
        return failure.empty() ? difference_outside() : failure;
    }

private:
    using sum = exact_t<T>;

    /// Alpha or beta; one of them is complex where T is. |re| + |im| is at most 3.
    static T number(double x) {
        if constexpr (is_complex<T>) {
            return T(static_cast<real_of_t<T>>(x), x == -2 ? 1 : 0);
        } else {
            return static_cast<T>(x);
        }
    }

    void write_elements() {
        random_source random(case_.seed + 3);
        for (const stretch& s : memory_.stretches) {
            T* const cells = reinterpret_cast<T*>(s.bytes().data());
            std::fill_n(cells, s.bytes().size() / sizeof(T), poison<T>());
        }
        random_case plain = case_;
        plain.special_values = false;
        if (case_.beta != 0) {
            write(memory_.output, element_source<T>(random, most_before, plain));
        }
        const element_source<T> elements(random, largest_element<T>(loops_), case_);
        for (const placed_array<T>& a : memory_.operands) {
            write(a, elements);
        }
    }
    static void write(const placed_array<T>& a, element_source<T> elements) {
        for (const std::int64_t at : positions_of(a.extents, a.lies)) {
            a.first[at] = elements();
        }
    }

    [[nodiscard]] bool may_refuse(xeinsum::error_code code) const {
        using xeinsum::error_code;
        return (code == error_code::lowering_not_applicable &&
                case_.lowering != xeinsum::lowering::automatic) ||
               (code == error_code::memory_limit && case_.memory_limit > 0);
    }

    [[nodiscard]] static bool same(const T& a, const T& b) { return a == b || (a != a && b != b); }
    static std::string wrong(std::size_t n, const T& found, const T& wanted) {
        std::ostringstream text;
        text.precision(17);
        text << "element " << n << " is " << found << ", not " << wanted;
        return text.str();
    }

    [[nodiscard]] std::string difference_of(const xt::xarray<T>& found) const {
        const shape extents = loops_.output_extents();
        if (!std::equal(extents.begin(), extents.end(), found.shape().begin(),
                        found.shape().end())) {
            return "the shape is wrong";
        }
        for (std::size_t n = 0; n < sums_.size(); ++n) {
            const T wanted = static_cast<T>(sums_[n]);
            if (!same(found.storage()[n], wanted)) {
                return wrong(n, found.storage()[n], wanted);
            }
        }
        return "";
    }

    /// Puts what was there before in the place of right results.
    [[nodiscard]] std::string difference_in_output() {
        const placed_array<T>& out = memory_.output;
        const stretch& s =
            memory_.stretches[case_.overlapped ? *case_.overlapped : memory_.stretches.size() - 1];
        const std::vector<std::int64_t> positions = positions_of(out.extents, out.lies);
        const auto alpha = static_cast<sum>(alpha_);
        const auto beta = static_cast<sum>(beta_);
        for (std::size_t n = 0; n < sums_.size(); ++n) {
            T& found = out.first[positions[n]];
            const T before = s.kept(&found);
            const sum scaled = times(alpha, sums_[n]);
            const T wanted = static_cast<T>(
                beta == sum(0) ? scaled : scaled + times(beta, static_cast<sum>(before)));
            if (!same(found, wanted)) {
                return wrong(n, found, wanted);
            }
            found = before;
        }
        return "";
    }

    /// Whether operands, gaps and margins are as they were.
    [[nodiscard]] std::string difference_outside() const {
        for (std::size_t i = 0; i < memory_.stretches.size(); ++i) {
            const stretch& s = memory_.stretches[i];
            if (!s.margin_is_untouched() || !s.is_as_kept()) {
                return "wrote elsewhere, in the memory of " + (i < memory_.operands.size()
                                                                   ? "operand " + std::to_string(i)
                                                                   : std::string("the output"));
            }
        }
        return "";
    }

    static constexpr std::int64_t most_before = 1000;

    const random_case& case_;
    label_loops loops_;
    case_memory<T> memory_;
    T alpha_;
    T beta_;
    std::vector<sum> sums_{};
};

template <class T>
std::string failure_of(const random_case& c) {
    return case_check<T>(c).run();
}

}  // namespace random_calls
