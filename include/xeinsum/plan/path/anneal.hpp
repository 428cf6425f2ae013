// Rotations of a tree by simulated annealing: "ab,bc,cd,de->ae" by ((ab,bc),cd),de is tried with cd
// or ab first, and with dearer orders on the way, which get rarer as the temperature falls.
#pragma once

#include <xeinsum/plan/path/problem.hpp>
#include <xeinsum/plan/path/random_source.hpp>
#include <xeinsum/plan/path/tree.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

namespace xeinsum::planning {

/// About what one try of a rotation takes, and for each word of labels. Searches count these
/// seconds, so that they end at the same path on every machine.
inline constexpr double rotation_seconds = 2.0e-8;
inline constexpr double rotation_word_seconds = 2.5e-9;

template <class Problem>
[[nodiscard]] double sweep_seconds(const path_tree<Problem>& tree) {
    return static_cast<double>(tree.nodes() - tree.leaves()) *
           (rotation_seconds + rotation_word_seconds * static_cast<double>(tree.words()));
}

/// One pass over a range of temperatures, in units of factors of two in the cost of two pairs.
struct annealing_pass {
    std::size_t sweeps = 0;
    double hottest = 0.5;
    double coldest = 0.05;
    double largest_elements = std::numeric_limits<double>::infinity();  ///< beyond, none grows
};

/// Tries to rotate each node once a sweep, and leaves the cheapest tree of all sweeps.
template <class Problem>
void anneal(path_tree<Problem>& tree, random_source& random, const annealing_pass& pass) {
    typename path_tree<Problem>::state best = tree.shape();
    double least = tree.cost();
    for (std::size_t s = 0; s < pass.sweeps; ++s) {
        const double done = (static_cast<double>(s) + 0.5) / static_cast<double>(pass.sweeps);
        const double temperature = pass.hottest * std::pow(pass.coldest / pass.hottest, done);
        // What is accepted once in a thousand tries need not be drawn.
        const typename path_tree<Problem>::acceptance accept{1 / (temperature * 0.6931471805599453),
                                                             std::exp2(10 * temperature),
                                                             pass.largest_elements};
        for (std::size_t v = tree.nodes(); v-- > tree.leaves();) {
            tree.rotate(v, random, accept);
        }
        if (const double cost = tree.cost(); cost < least) {
            least = cost;
            best = tree.shape();
        }
    }
    tree.restore(best);
}

/// Anneals in passes, each twice as long as the one before and from the best tree so far, until
/// allowed(tree) seconds are counted, and returns these; they may change with the tree. Long passes
/// begin hot in turn, so that other trees are found too.
/// Source: rotations as in Kalachev, Panteleev and Yung, arXiv:2108.05665, 2021. Costs are compared
/// for the pairs that change, not in total: that orders cheap branches too.
template <class Problem, class Allowed>
double anneal_for(path_tree<Problem>& tree, double largest_elements, Allowed allowed,
                  double first_share = 0) {
    constexpr std::size_t fewest = 8;
    constexpr std::size_t few = 100;
    constexpr std::size_t many = 500;
    if (tree.nodes() < tree.leaves() + 2) {
        return 0;
    }
    random_source random(tree.leaves());
    const double sweep = sweep_seconds(tree);
    double spent = 0;
    bool hot = false;
    double sweeps = std::max(2.0 * fewest, first_share * allowed(tree) / sweep);
    for (;; sweeps *= 2) {
        const double left = (allowed(tree) - spent) / sweep;
        if (left < fewest) {
            return spent;
        }
        annealing_pass pass;
        pass.largest_elements = largest_elements;
        pass.sweeps = static_cast<std::size_t>(left < 3 * sweeps ? left : sweeps);
        hot = pass.sweeps > many && !hot;
        pass.hottest = pass.sweeps < few ? 0.2 : hot ? 2 : 0.5;
        anneal(tree, random, pass);
        spent += static_cast<double>(pass.sweeps) * sweep;
    }
}

}  // namespace xeinsum::planning
