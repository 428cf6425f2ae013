// Smaller calls to try when one fails.
#include "random_case.hpp"

#include <algorithm>
#include <set>

namespace random_calls {

namespace {

/// Drops output labels that no term has any more.
void mend_output(random_case& c) {
    if (c.output) {
        std::erase_if(*c.output, [&](int l) {
            return std::none_of(c.terms.begin(), c.terms.end(), [&](const random_term& t) {
                return std::find(t.labels.begin(), t.labels.end(), l) != t.labels.end();
            });
        });
    }
}

[[nodiscard]] bool has_dots(const random_term& t) {
    return std::find(t.labels.begin(), t.labels.end(), dots) != t.labels.end();
}

}  // namespace

std::vector<random_case> simpler_cases(const random_case& c) {
    std::vector<random_case> cases;
    const auto with = [&](auto change) {
        random_case simpler = c;
        change(simpler);
        mend_output(simpler);
        cases.push_back(simpler);
    };
    // Only where it is not so already.
    const auto set = [&](auto member, auto value) {
        if (c.*member != value) {
            with([&](random_case& s) { s.*member = value; });
        }
    };
    for (std::size_t i = 0; i < c.terms.size(); ++i) {
        if (c.terms.size() > 1 && c.pairs.empty()) {
            with([&](random_case& s) {
                s.terms.erase(s.terms.begin() + static_cast<std::ptrdiff_t>(i));
                std::copy(c.bound.begin() + static_cast<std::ptrdiff_t>(i) + 1, c.bound.end(),
                          s.bound.begin() + static_cast<std::ptrdiff_t>(i));
                if (c.overlapped && *c.overlapped >= i) {
                    s.overlapped = *c.overlapped == i ? 0 : *c.overlapped - 1;
                }
            });
        }
        const random_term& t = c.terms[i];
        for (std::size_t a = 0; a < t.extents.size() && !has_dots(t); ++a) {
            with([&](random_case& s) {
                random_term& term = s.terms[i];
                term.labels.erase(term.labels.begin() + static_cast<std::ptrdiff_t>(a));
                term.extents.erase(term.extents.begin() + static_cast<std::ptrdiff_t>(a));
                term.lies = row_major(term.extents);
            });
        }
        if (t.lies != row_major(t.extents)) {
            with([&](random_case& s) { s.terms[i].lies = row_major(t.extents); });
        }
    }
    std::set<std::size_t> extents;
    for (const random_term& t : c.terms) {
        extents.insert(t.extents.begin(), t.extents.end());
    }
    for (const std::size_t e : extents) {
        for (const std::size_t less : {e / 2 + 1, e - 1}) {
            if (e > 2 && less < e) {
                with([&](random_case& s) {
                    for (random_term& t : s.terms) {
                        const bool dense = t.lies == row_major(t.extents);
                        std::replace(t.extents.begin(), t.extents.end(), e, less);
                        t.lies = dense ? row_major(t.extents) : t.lies;
                    }
                });
            }
        }
    }
    if (c.way != call_way::einsum) {
        with([](random_case& s) {
            s.way = call_way::einsum;
            s.alpha = 1;
            s.beta = 0;
            s.overlapped.reset();
        });
    }
    if (!c.pairs.empty()) {
        with([](random_case& s) {
            s.path = xeinsum::path_strategy::greedy;
            s.pairs.clear();
        });
    }
    set(&random_case::planned, planned_for::arrays);
    set(&random_case::bound, std::array<bool, most_operands>{});
    set(&random_case::overlapped, std::optional<std::size_t>());
    set(&random_case::beta, 0.0);
    set(&random_case::alpha, 1.0);
    set(&random_case::infinities, false);
    set(&random_case::special_values, c.infinities);
    set(&random_case::lowering, xeinsum::lowering::automatic);
    set(&random_case::memory_limit, std::size_t{0});
    set(&random_case::threads, 1U);
    set(&random_case::machine, std::size_t{0});
    set(&random_case::listed, false);
    return cases;
}

}  // namespace random_calls
