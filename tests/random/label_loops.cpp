// Which loops a random call is, by the meaning of equations.
#include "label_loops.hpp"

#include <map>

namespace random_calls {

namespace {

/// Axes under "..." are labels from here on, counted from the right.
constexpr int first_covered = 1000;

[[nodiscard]] std::size_t covered_by(const random_term& t) {
    const bool has_dots = std::find(t.labels.begin(), t.labels.end(), dots) != t.labels.end();
    return has_dots ? t.extents.size() + 1 - t.labels.size() : 0;
}

/// The labels with each "..." replaced by so many axes.
[[nodiscard]] std::vector<int> spread(const std::vector<int>& labels, std::size_t covered) {
    std::vector<int> axes;
    for (const int l : labels) {
        for (std::size_t a = covered; l == dots && a-- > 0;) {
            axes.push_back(first_covered + static_cast<int>(a));
        }
        if (l != dots) {
            axes.push_back(l);
        }
    }
    return axes;
}

/// What an equation without "->" means: "..." and the labels that occur once, in their order.
[[nodiscard]] std::vector<int> implied_output(const random_case& c) {
    std::map<int, int> count;
    for (const random_term& t : c.terms) {
        for (const int l : t.labels) {
            ++count[l];
        }
    }
    std::vector<int> output;
    for (const auto& [l, n] : count) {
        if (l != dots && n == 1) {
            output.push_back(l);
        }
    }
    if (c.spelled == xeinsum::notation::letters) {
        std::sort(output.begin(), output.end(),
                  [&](int a, int b) { return spell(a, c.spelled) < spell(b, c.spelled); });
    }
    if (count.count(dots) > 0) {
        output.insert(output.begin(), dots);
    }
    return output;
}

}  // namespace

label_loops::label_loops(const random_case& c) : operands(c.terms.size()) {
    std::size_t covered = 0;
    for (const random_term& t : c.terms) {
        covered = std::max(covered, covered_by(t));
    }
    std::vector<int> order = spread(c.output ? *c.output : implied_output(c), covered);
    output_rank = order.size();
    std::map<int, std::size_t> loop_of;
    for (std::size_t l = 0; l < order.size(); ++l) {
        loop_of[order[l]] = l;
    }
    std::vector<std::vector<int>> axes;
    for (const random_term& t : c.terms) {
        axes.push_back(spread(t.labels, covered_by(t)));
        for (const int l : axes.back()) {
            loop_of.emplace(l, loop_of.size());
        }
    }
    extents.assign(loop_of.size(), 1);
    steps.resize(loop_of.size());
    for (std::size_t i = 0; i < c.terms.size(); ++i) {
        for (std::size_t a = 0; a < axes[i].size(); ++a) {
            const std::size_t loop = loop_of[axes[i][a]];
            // An extent of 1 is broadcast.
            if (c.terms[i].extents[a] != 1) {
                extents[loop] = c.terms[i].extents[a];
                steps[loop][i] += c.terms[i].lies[a];
            }
        }
    }
}

}  // namespace random_calls
