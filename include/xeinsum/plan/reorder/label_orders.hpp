// The order in which intermediates keep their labels: in "ij,jk,kl->li" by (0, 1), (2, 3) the first
// one is ik or ki, whichever is predicted to let both pairs take less time.
#pragma once

#include <xeinsum/equation/equation.hpp>
#include <xeinsum/equation/error.hpp>
#include <xeinsum/equation/list_view.hpp>
#include <xeinsum/plan/layout.hpp>
#include <xeinsum/plan/path/problem.hpp>
#include <xeinsum/plan/reorder/pair.hpp>
#include <xeinsum/plan/step/mode_table.hpp>
#include <xeinsum/plan/step/step.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace xeinsum::planning {

/// About what one prediction takes.
inline constexpr double prediction_seconds = 1.0e-6;

/// Orders for the results of all pairs of a path, the best of three: labels as the inputs have
/// them, lhs first; those that are summed first innermost, so that what a pair sums lies side by
/// side in both inputs; and those outermost, so that what it keeps lies side by side. One order is
/// for all intermediates: a pair whose inputs keep common labels in unlike orders reads or writes
/// element by element.
template <class Emitter>
class label_orders {
    template <class T>
    using vector = dependent<Emitter, std::vector<T>>;

public:
    /// A path over these arrays of an emitter, whose run takes about so many seconds.
    label_orders(Emitter& emitter, vector<array_id> operands, const contraction_path& path,
                 double seconds)
        : emitter_(emitter), operands_(std::move(operands)), path_(path) {
        constexpr double share = 0.2;
        constexpr double orders = 3;
        read();
        const vector<std::size_t> pairs = large_pairs();
        if (orders * prediction_seconds * static_cast<double>(pairs.size()) <= share * seconds) {
            choose(pairs);
        }
    }

    /// The labels of the result of a pair, the outermost first.
    [[nodiscard]] list_view<const label> operator[](std::size_t pair) const noexcept {
        return labels_[operands_.size() + pair];
    }

private:
    using label_lists = vector<vector<label>>;  // of operands, then of results of pairs

    /// The pair that sums a label, and which one it is of those that this pair sums.
    struct place {
        std::size_t pair = 0;
        std::size_t among = 0;
    };

    [[nodiscard]] static std::size_t number(label l) noexcept {
        return static_cast<std::size_t>(l);
    }
    [[nodiscard]] bool is_intermediate(std::size_t array) const noexcept {
        return array >= operands_.size() && array + 1 < operands_.size() + path_.size();
    }

    /// Finds the labels of all results as their inputs have them, and when labels are summed.
    void read() {
        vector<std::size_t> uses(emitter_.data.extents.size(), 0);
        summed_.resize(uses.size());
        const auto add = [&](list_view<const label> labels) {
            for (const label l : labels) {
                ++uses[number(l)];
            }
            labels_.emplace_back(labels.begin(), labels.end());
        };
        for (const array_id id : operands_) {
            add(emitter_.term(id).labels);
        }
        const list_view<const label> result = emitter_.term(result_array).labels;
        for (std::size_t i = 0; i < result.size(); ++i) {
            ++uses[number(result[i])];
            summed_[number(result[i])] = {path_.size(), i};
        }
        for (std::size_t p = 0; p + 1 < path_.size(); ++p) {
            add(result_of(p, uses));
        }
        static_cast<void>(result_of(path_.size() - 1, uses));
        labels_.emplace_back(result.begin(), result.end());
    }
    [[nodiscard]] vector<label> result_of(std::size_t p, vector<std::size_t>& uses) {
        const auto [lhs, rhs] = path_[p];
        for (const std::size_t input : {lhs, rhs}) {
            for (const label l : labels_[input]) {
                --uses[number(l)];
            }
        }
        vector<label> kept;
        std::size_t among = 0;
        for (const std::size_t input : {lhs, rhs}) {
            for (const label l : labels_[input]) {
                if (uses[number(l)] > 0) {
                    if (!holds(kept, l)) {
                        kept.push_back(l);
                    }
                } else if (input == lhs || !is_intermediate(rhs)) {
                    summed_[number(l)] = {p, among++};
                }
            }
        }
        return kept;
    }

    /// The pairs whose arrays have at least a fiftieth as many elements as those of a pair have on
    /// average: the others hardly matter. The last pair is not among them.
    [[nodiscard]] vector<std::size_t> large_pairs() const {
        constexpr double least = 0.02;
        const list_view<const std::int64_t> extents{emitter_.data.extents.data(),
                                                    emitter_.data.extents.size()};
        vector<double> elements;
        double sum = 0;
        for (std::size_t p = 0; p < path_.size(); ++p) {
            double of_pair = 0;
            for (const std::size_t array :
                 {path_[p].first, path_[p].second, operands_.size() + p}) {
                of_pair += element_count(labels_[array], extents);
            }
            elements.push_back(of_pair);
            sum += of_pair;
        }
        vector<std::size_t> pairs;
        for (std::size_t p = 0; p + 1 < path_.size(); ++p) {
            if (elements[p] * static_cast<double>(path_.size()) >= least * sum) {
                pairs.push_back(p);
            }
        }
        return pairs;
    }

    /// Takes another order than that of inputs if it is predicted to save a twentieth.
    void choose(const vector<std::size_t>& pairs) {
        constexpr double worth_it = 0.95;
        double least = worth_it * seconds_of(labels_, pairs);
        label_lists best;
        for (const bool first_outermost : {false, true}) {
            label_lists labels = sorted(first_outermost);
            const double seconds = seconds_of(labels, pairs);
            if (seconds < least) {
                least = seconds;
                best = std::move(labels);
            }
        }
        if (!best.empty()) {
            labels_ = std::move(best);
        }
    }

    [[nodiscard]] label_lists sorted(bool first_outermost) const {
        label_lists labels = labels_;
        for (std::size_t array = operands_.size(); is_intermediate(array); ++array) {
            std::sort(labels[array].begin(), labels[array].end(), [&](label a, label b) {
                const place& x = summed_[number(a)];
                const place& y = summed_[number(b)];
                return x.pair == y.pair ? x.among < y.among : (x.pair < y.pair) == first_outermost;
            });
        }
        return labels;
    }

    [[nodiscard]] double seconds_of(const label_lists& labels,
                                    const vector<std::size_t>& pairs) const {
        layout lies[3];
        const auto term = [&](std::size_t array, layout& memory) {
            if (!is_intermediate(array)) {
                return emitter_.term(array < operands_.size() ? operands_[array] : result_array);
            }
            memory.extents.clear();
            for (const label l : labels[array]) {
                memory.extents.push_back(emitter_.extent(l));
            }
            memory.strides.resize(memory.extents.size());
            lay_row_major(memory.extents, memory.strides);
            return strided_term{labels[array], memory.strides};
        };
        double seconds = last_pair_seconds(labels);
        for (const std::size_t p : pairs) {
            seconds += emitter_.pair_seconds(
                term(operands_.size() + p, lies[0]),
                {term(path_[p].first, lies[1]), term(path_[p].second, lies[2])});
        }
        return seconds;
    }

    /// The last pair may copy arrays in another order, as others do not. Infinite where it cannot
    /// be computed.
    [[nodiscard]] double last_pair_seconds(const label_lists& labels) const {
        const auto start = emitter_.mark();
        const problem error = emitter_.data.error;
        const bool is_sliced = !emitter_.data.slices.empty();
        const auto array = [&](std::size_t number) {
            return is_intermediate(number) ? emitter_.add_intermediate(labels[number])
                                           : operands_[number];
        };
        const array_id lhs = array(path_.back().first);
        const array_id rhs = array(path_.back().second);
        reordered_pair(emitter_, lhs, rhs).emit();
        double seconds = emitter_.failed() ? std::numeric_limits<double>::infinity()
                                           : emitter_.seconds_since(start.steps);
        emitter_.data.error = error;
        if (!is_sliced && !emitter_.data.slices.empty()) {
            seconds *= static_cast<double>(emitter_.data.slices[0].count);
            emitter_.unslice();
        }
        emitter_.rewind(start);
        return seconds;
    }

    Emitter& emitter_;
    vector<array_id> operands_;
    const contraction_path& path_;
    label_lists labels_{};
    vector<place> summed_{};  // by label
};

}  // namespace xeinsum::planning
