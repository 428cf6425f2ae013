// What a plan depends on, as a value to compare and to look up: the equation "ij,jk->ik", how its
// operands lie, and the options. Plans of one element type with equal keys are the same.
#pragma once

#include <xeinsum/equation/equation.hpp>
#include <xeinsum/equation/list_view.hpp>
#include <xeinsum/plan/layout.hpp>
#include <xeinsum/plan/options.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace xeinsum {

/// A key in memory of the caller's, for looking up without allocating.
template <class Layout>
struct basic_plan_key_view {
    std::string_view equation{};
    xeinsum::notation notation = notation::automatic;  ///< how the equation is read
    list_view<const Layout> operands{};
    const options* wanted = nullptr;  ///< threads, lowering and so on; not who runs the pieces
    list_view<const std::int64_t> lengths{};  ///< of an equation with groups, by label

    [[nodiscard]] friend bool operator==(const basic_plan_key_view& a,
                                         const basic_plan_key_view& b) noexcept {
        return a.equation == b.equation && a.notation == b.notation &&
               std::equal(a.operands.begin(), a.operands.end(), b.operands.begin(),
                          b.operands.end(), lie_alike) &&
               std::equal(a.lengths.begin(), a.lengths.end(), b.lengths.begin(), b.lengths.end()) &&
               plan_alike(*a.wanted, *b.wanted);
    }
};

/// A key of layouts in memory of the caller's.
using plan_key_view = basic_plan_key_view<layout_view>;

/// A number that equal keys share.
struct plan_key_hash {
    template <class Layout>
    [[nodiscard]] std::size_t operator()(const basic_plan_key_view<Layout>& key) const noexcept {
        std::size_t h = std::hash<std::string_view>()(key.equation);
        const auto mix = [&h](auto x) {
            // Multiplication moves low bits up, the shift brings high bits down.
            h = (h ^ static_cast<std::size_t>(x)) * 0x9e3779b97f4a7c15U;
            h ^= h >> 29U;
        };
        mix(key.notation);
        for (const Layout& l : key.operands) {
            mix(l.extents.size());
            for (std::size_t a = 0; a < l.extents.size(); ++a) {
                mix(l.extents[a]);
                mix(l.extents[a] > 1 ? l.strides[a] : 0);
            }
        }
        for (const std::int64_t length : key.lengths) {
            mix(length);
        }
        mix(key.wanted->lowering);
        mix(key.wanted->path);
        mix(key.wanted->memory_limit);
        mix(key.wanted->threads);
        mix(key.wanted->path_restarts);
        for (const auto& [lhs, rhs] : key.wanted->path_pairs) {
            mix(lhs);
            mix(rhs);
        }
        for (const sliced_label& s : key.wanted->slices) {
            mix(s.id);
            mix(s.count);
        }
        return h;
    }
};

/// A key that owns what it holds.
template <class Layout>
class basic_plan_key {
public:
    basic_plan_key() = default;
    /// Of an equation's text, how it is read, layouts, options and, with groups, lengths by label.
    basic_plan_key(std::string_view text, xeinsum::notation notation, std::vector<Layout> operands,
                   const options& wanted, std::vector<std::int64_t> lengths = {})
        : equation_(text),
          notation_(notation),
          operands_(std::move(operands)),
          wanted_(wanted),
          path_pairs_(wanted_.path_pairs.begin(), wanted_.path_pairs.end()),
          slices_(wanted_.slices.begin(), wanted_.slices.end()),
          lengths_(std::move(lengths)) {
        wanted_.parallel = {};
        // What is the caller's need not live as long as the key.
        wanted_.path_pairs = {};
        wanted_.slices = {};
        if (wanted_.machine != nullptr) {
            machine_ = std::make_shared<const machine>(*wanted_.machine);
            wanted_.machine = nullptr;
        }
    }

    /// The equation's text.
    [[nodiscard]] const std::string& equation() const noexcept { return equation_; }
    /// How it is read.
    [[nodiscard]] xeinsum::notation notation() const noexcept { return notation_; }
    /// How the operands lie.
    [[nodiscard]] list_view<const Layout> operands() const noexcept { return operands_; }
    /// Of an equation with groups, by label.
    [[nodiscard]] list_view<const std::int64_t> lengths() const noexcept { return lengths_; }
    /// Its path_pairs and slices live as long as the key, its machine as long as any copy of it.
    [[nodiscard]] options wanted() const noexcept {
        options all = wanted_;
        all.path_pairs = path_pairs_;
        all.slices = slices_;
        all.machine = machine_.get();
        return all;
    }

    /// Whether plans made for them are the same.
    [[nodiscard]] friend bool operator==(const basic_plan_key& a,
                                         const basic_plan_key& b) noexcept {
        return a.equation_ == b.equation_ && a.notation_ == b.notation_ &&
               a.lengths_ == b.lengths_ &&
               std::equal(a.operands_.begin(), a.operands_.end(), b.operands_.begin(),
                          b.operands_.end(), lie_alike) &&
               plan_alike(a.wanted(), b.wanted());
    }
    /// The same with a key that owns nothing.
    [[nodiscard]] friend bool operator==(const basic_plan_key& a, const plan_key_view& b) noexcept {
        return a.equation_ == b.equation && a.notation_ == b.notation &&
               std::equal(a.lengths_.begin(), a.lengths_.end(), b.lengths.begin(),
                          b.lengths.end()) &&
               std::equal(a.operands_.begin(), a.operands_.end(), b.operands.begin(),
                          b.operands.end(), lie_alike) &&
               plan_alike(a.wanted(), *b.wanted);
    }

    /// A number that equal keys share.
    [[nodiscard]] std::size_t hash() const {
        const std::vector<layout_view> views(operands_.begin(), operands_.end());
        const options all = wanted();
        return plan_key_hash()(plan_key_view{equation_, notation_, views, &all, lengths_});
    }

private:
    std::string equation_{};
    xeinsum::notation notation_ = notation::automatic;
    std::vector<Layout> operands_{};
    options wanted_{};
    std::vector<std::pair<std::size_t, std::size_t>> path_pairs_{};
    std::vector<sliced_label> slices_{};
    std::vector<std::int64_t> lengths_{};
    std::shared_ptr<const machine> machine_{};  ///< shared by copies, which point at it
};

/// The key of a plan.
using plan_key = basic_plan_key<layout>;

}  // namespace xeinsum

template <class Layout>
struct std::hash<xeinsum::basic_plan_key<Layout>> {
    [[nodiscard]] std::size_t operator()(const xeinsum::basic_plan_key<Layout>& key) const {
        return key.hash();
    }
};
