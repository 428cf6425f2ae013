// A contraction path as a tree, and trees made cheaper branch by branch: in
// "ab,bc,cd,de,ef,fg->ag" any few neighbours can be put into their best order.
#pragma once

#include <xeinsum/equation/equation.hpp>
#include <xeinsum/plan/path_optimal.hpp>
#include <xeinsum/plan/path_problem.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

namespace xeinsum::planning {

/// A path whose subtrees can be replaced. Terms are nodes 0, 1, ..., pairs follow.
template <class Problem>
class path_tree {
public:
    path_tree(const Problem& problem, const contraction_path& path)
        : problem_(problem), leaves_(problem.terms.size()), labels_(problem.terms) {
        labels_.resize(leaves_ + path.size());
        children_.resize(labels_.size());
        cost_.resize(labels_.size(), 0);
        label_uses uses(problem);
        for (std::size_t p = 0; p < path.size(); ++p) {
            set_node(leaves_ + p, path[p], uses);
        }
    }

    [[nodiscard]] double cost() const noexcept {
        double total = 0;
        for (const double c : cost_) {
            total += c;
        }
        return total;
    }

    /// Finds the best order of every branch of at most so many parts, until none gets cheaper or
    /// the branches that were looked at are as many as allowed. Intermediates beyond the problem's
    /// limit are not introduced.
    void refine(std::size_t parts, std::size_t branches) {
        bool changed = true;
        while (changed) {
            changed = false;
            for (const std::size_t node : pairs_in_order()) {
                if (branches-- == 0) {
                    return;
                }
                changed = refine_branch(node, parts) || changed;
            }
        }
    }

    /// The path: a subtree is done before the next one begins, the one with the larger result
    /// first, so that few intermediates live at a time.
    [[nodiscard]] contraction_path path() const {
        std::vector<std::size_t> number(labels_.size());
        for (std::size_t t = 0; t < leaves_; ++t) {
            number[t] = t;
        }
        contraction_path out;
        for (const std::size_t node : pairs_in_order()) {
            const auto [lhs, rhs] = children_[node];
            out.emplace_back(std::min(number[lhs], number[rhs]),
                             std::max(number[lhs], number[rhs]));
            number[node] = leaves_ + out.size() - 1;
        }
        return out;
    }

private:
    using pair = std::pair<std::size_t, std::size_t>;

    [[nodiscard]] bool is_leaf(std::size_t node) const noexcept { return node < leaves_; }
    [[nodiscard]] double size(std::size_t node) const {
        return element_count(labels_[node], problem_.extents);
    }

    /// Every pair after the pairs below it.
    [[nodiscard]] std::vector<std::size_t> pairs_in_order() const {
        std::vector<std::size_t> order;
        std::vector<std::size_t> open;
        if (labels_.size() > leaves_) {
            open.push_back(labels_.size() - 1);
        }
        // A node before its children, the later one first: the reverse of the order wanted.
        while (!open.empty()) {
            const std::size_t node = open.back();
            open.pop_back();
            order.push_back(node);
            const auto [lhs, rhs] = children_[node];
            const bool lhs_larger = size(lhs) >= size(rhs);
            for (const std::size_t child : {lhs_larger ? lhs : rhs, lhs_larger ? rhs : lhs}) {
                if (!is_leaf(child)) {
                    open.push_back(child);
                }
            }
        }
        std::reverse(order.begin(), order.end());
        return order;
    }

    /// Gives a node its two children, which are still in use.
    void set_node(std::size_t node, pair children, label_uses<Problem>& uses) {
        const auto& lhs = labels_[children.first];
        const auto& rhs = labels_[children.second];
        children_[node] = children;
        cost_[node] = problem_.cost(sizes_of(problem_, uses, lhs, rhs));
        labels_[node] = uses.contract(lhs, rhs);
    }

    bool refine_branch(std::size_t node, std::size_t parts) {
        // Opens the largest part until there are enough.
        std::vector<std::size_t> ends{children_[node].first, children_[node].second};
        std::vector<std::size_t> inner{node};
        double before = cost_[node];
        while (ends.size() < parts) {
            std::size_t widest = ends.size();
            double most = -1;
            for (std::size_t i = 0; i < ends.size(); ++i) {
                if (!is_leaf(ends[i]) && size(ends[i]) > most) {
                    most = size(ends[i]);
                    widest = i;
                }
            }
            if (widest == ends.size()) {
                break;
            }
            const std::size_t opened = ends[widest];
            inner.push_back(opened);
            before += cost_[opened];
            ends[widest] = children_[opened].first;
            ends.push_back(children_[opened].second);
        }
        if (ends.size() < 3) {
            return false;
        }
        branch_.terms.clear();
        for (const std::size_t end : ends) {
            branch_.terms.push_back(labels_[end]);
        }
        branch_.output = labels_[node];
        branch_.extents = problem_.extents;
        branch_.cost = problem_.cost;
        branch_.largest_elements = problem_.largest_elements;
        const contraction_path found = search_.run(branch_, before * (1 - 1e-9));
        if (found.empty()) {
            return false;
        }
        rebuild(ends, inner, found);
        return true;
    }

    /// Puts new pairs into the nodes that the old ones had; the topmost stays the last.
    void rebuild(std::vector<std::size_t>& ends, std::vector<std::size_t>& inner,
                 const contraction_path& pairs) {
        // Labels that a node needs are those of the whole branch: the topmost node's count.
        label_uses uses(branch_);
        for (std::size_t p = 0; p < pairs.size(); ++p) {
            const std::size_t node = inner[inner.size() - 1 - p];
            set_node(node, {ends[pairs[p].first], ends[pairs[p].second]}, uses);
            ends.push_back(node);
        }
    }

    const Problem& problem_;
    std::size_t leaves_;
    std::vector<std::vector<label>> labels_;
    std::vector<pair> children_{};
    std::vector<double> cost_{};
    Problem branch_{};
    optimal_search<Problem> search_{};
};

}  // namespace xeinsum::planning
