// Random patterns such as "c (b a) -> a (c b)", on operands that lie anyhow, against loops over the
// labels that were written before there was a pattern: no parser of ours takes part in them.
#include <xeinsum/rearrange.hpp>

#include "../support/shared_calls.hpp"
#include "../support/shared_folds.hpp"
#include "../support/strided_array.hpp"
#include "lying.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace {

using support::shape;
using support::strided_array;
using grouping = std::vector<std::vector<std::size_t>>;  ///< labels of each axis

/// A call in terms of labels 0 ..., each with an extent.
struct pattern_case {
    shape extents{};
    grouping in{};
    grouping out{};
    std::string text{};
    xeinsum::axis_lengths lengths{};
};

std::string name_of(std::size_t label) {
    // Names of different length, one being the beginning of another.
    return std::string(1, static_cast<char>('a' + label % 3)) + (label < 3 ? "" : "_1");
}

class generator {
public:
    explicit generator(std::uint64_t seed) : engine_(seed) {}

    /// kept, dropped and added labels.
    pattern_case make(std::size_t kept, std::size_t dropped, std::size_t added) {
        pattern_case c;
        const std::size_t all = kept + dropped + added;
        for (std::size_t l = 0; l < all; ++l) {
            c.extents.push_back(below(20) == 0 ? 0 : 1 + below(l % 2 == 0 ? 4 : 7));
        }
        if (dropped > 0) {  // so that every reduction has something to reduce
            std::replace(c.extents.begin(), c.extents.end(), std::size_t{0}, std::size_t{2});
        }
        c.in = group(0, kept + dropped);
        std::vector<std::size_t> results;
        for (std::size_t l = 0; l < all; ++l) {
            if (l < kept || l >= kept + dropped) {
                results.push_back(l);
            }
        }
        c.out = group(results);
        c.text = spell(c.in) + " -> " + spell(c.out);
        for (std::size_t l = 0; l < all; ++l) {
            if (l >= kept + dropped || needs_length(c, l) || below(4) == 0) {
                c.lengths.push_back(xeinsum::axis(name_of(l), c.extents[l]));
            }
        }
        return c;
    }
    std::size_t below(std::size_t n) { return engine_() % n; }

private:
    grouping group(std::size_t begin, std::size_t end) {
        std::vector<std::size_t> labels;
        for (; begin < end; ++begin) {
            labels.push_back(begin);
        }
        return group(labels);
    }
    grouping group(std::vector<std::size_t> labels) {
        std::shuffle(labels.begin(), labels.end(), engine_);
        grouping axes;
        for (const std::size_t l : labels) {
            if (below(8) == 0) {
                axes.emplace_back();  // a unit axis
            }
            if (axes.empty() || below(2) == 0) {
                axes.emplace_back();
            }
            axes.back().push_back(l);
        }
        return axes;
    }
    std::string spell(const grouping& axes) {
        std::string text;
        for (const auto& axis : axes) {
            text += text.empty() || below(6) == 0 ? "  " : " ";
            if (axis.size() == 1 && below(4) != 0) {
                text += name_of(axis[0]);
                continue;
            }
            if (axis.empty() && below(2) == 0) {
                text += "1";
                continue;
            }
            text += "(";
            for (const std::size_t l : axis) {
                text += " ";
                text += name_of(l);
            }
            text += ")";
        }
        return text;
    }
    /// Of a group all lengths but one are told; where the others are 0, that one as well.
    static bool needs_length(const pattern_case& c, std::size_t label) {
        for (const auto& axis : c.in) {
            if (std::find(axis.begin(), axis.end(), label) != axis.end()) {
                bool zero = false;
                for (const std::size_t l : axis) {
                    zero = zero || c.extents[l] == 0;
                }
                return axis.size() > 1 && (zero || axis.front() != label);
            }
        }
        return false;
    }

    std::mt19937_64 engine_;
};

shape shape_of(const pattern_case& c, const grouping& axes) {
    shape s;
    for (const auto& axis : axes) {
        s.push_back(1);
        for (const std::size_t l : axis) {
            s.back() *= c.extents[l];
        }
    }
    return s;
}

/// Row-major number of the element at the labels' positions.
std::size_t number_of(const pattern_case& c, const grouping& axes, const shape& at) {
    std::size_t n = 0;
    for (const auto& axis : axes) {
        for (const std::size_t l : axis) {
            n = n * c.extents[l] + at[l];
        }
    }
    return n;
}

template <class T, class Join>
std::vector<T> naive(const pattern_case& c, const std::vector<T>& in, Join join) {
    std::size_t count = 1;
    for (const std::size_t e : shape_of(c, c.out)) {
        count *= e;
    }
    std::vector<T> out(count);
    std::vector<bool> seen(count, false);
    std::size_t total = 1;
    for (const std::size_t e : c.extents) {
        total *= e;
    }
    shape at(c.extents.size());
    for (std::size_t n = 0; n < total; ++n) {
        std::size_t rest = n;
        for (std::size_t l = at.size(); l-- > 0;) {
            at[l] = rest % c.extents[l];
            rest /= c.extents[l];
        }
        const std::size_t to = number_of(c, c.out, at);
        const T& x = in[number_of(c, c.in, at)];
        out[to] = seen[to] ? join(out[to], x) : x;
        seen[to] = true;
    }
    return out;
}

/// Calls, in turn into a new array and into memory that lies anyhow, and compares.
template <class T, class New, class Into, class Join>
void check(generator& random, const pattern_case& c, New make, Into write, Join join) {
    CAPTURE(c.text);
    const shape in_shape = shape_of(c, c.in);
    std::vector<T> in;
    const auto fill = [&](std::size_t n) {
        in.resize(std::max(in.size(), n + 1));
        // Products are exact: their only odd factors are 1 and -1.
        in[n] = static_cast<T>(static_cast<int>(random.below(5)) - 2);
        return in[n];
    };
    random_calls::random_source anyhow(random.below(1000000));
    const auto placed = random_calls::random_placement(anyhow, in_shape.size());
    const auto operand = strided_array<T>::lying(in_shape, placed.order, placed.steps, fill);
    const std::vector<T> expected = naive<T>(c, in, join);
    const shape out_shape = shape_of(c, c.out);
    const xt::xarray<T> found = make(operand.view());
    REQUIRE(shape(found.shape().begin(), found.shape().end()) == out_shape);
    CHECK(std::equal(expected.begin(), expected.end(), found.begin()));
    const auto lies = random_calls::random_placement(anyhow, out_shape.size());
    const auto out = strided_array<T>::lying(out_shape, lies.order, lies.steps,
                                             [](std::size_t) { return T(77); });
    auto view = out.view();
    write(view, operand.view());
    const xt::xarray<T> written = out.values();
    CHECK(std::equal(expected.begin(), expected.end(), written.begin()));
    CHECK(out.gaps_are_untouched());
}

template <class T>
void check_all(std::uint64_t seed) {
    generator random(seed);
    const auto first = [](const T& a, const T&) { return a; };
    const pattern_case moved = random.make(1 + random.below(6), 0, 0);
    check<T>(
        random, moved,
        [&](const auto& x) { return xeinsum::rearrange(moved.text, x, moved.lengths); },
        [&](auto& out, const auto& x) { xeinsum::rearrange_to(moved.text, out, x, moved.lengths); },
        first);
    const pattern_case added = random.make(1 + random.below(3), 0, 1 + random.below(3));
    check<T>(
        random, added, [&](const auto& x) { return xeinsum::repeat(added.text, x, added.lengths); },
        [&](auto& out, const auto& x) { xeinsum::repeat_to(added.text, out, x, added.lengths); },
        first);
    const pattern_case dropped = random.make(random.below(4), 1 + random.below(3), 0);
    const auto reduce = [&](xeinsum::reduction op, auto join) {
        check<T>(
            random, dropped,
            [&](const auto& x) { return xeinsum::reduce(dropped.text, op, x, dropped.lengths); },
            [&](auto& out, const auto& x) {
                xeinsum::reduce_to(dropped.text, op, out, x, dropped.lengths);
            },
            join);
    };
    reduce(xeinsum::reduction::sum, [](const T& a, const T& b) { return static_cast<T>(a + b); });
    reduce(xeinsum::reduction::min, [](const T& a, const T& b) { return std::min(a, b); });
    reduce(xeinsum::reduction::max, [](const T& a, const T& b) { return std::max(a, b); });
    reduce(xeinsum::reduction::prod, [](const T& a, const T& b) { return static_cast<T>(a * b); });
}

}  // namespace

TEST_CASE("random patterns give what loops over their labels give") {
    for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
        CAPTURE(seed);
        check_all<float>(seed);
        if (seed % 4 == 0) {
            check_all<double>(seed + 100000);
            check_all<std::int64_t>(seed + 200000);
        }
    }
}
