// Labels that the caller cuts: "ij,jk,kl->il" for one quarter of k at a time, where k has extent 12
// and 4 slices.
#pragma once

#include <xeinsum/equation/equation.hpp>
#include <xeinsum/equation/error.hpp>
#include <xeinsum/equation/list_view.hpp>
#include <xeinsum/plan/options.hpp>
#include <xeinsum/plan/path/problem.hpp>
#include <xeinsum/plan/step/step.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace xeinsum::planning {

/// Slices by ascending label, or the bad_option that they are.
struct given_slices {
    std::vector<label_slices> slices{};
    problem error{};

    /// Cuts slices again, by ascending label; memory_limit where that makes too many.
    template <class Slices>
    void cut(const Slices& further) {
        for (const label_slices& more : further) {
            const auto at =
                std::lower_bound(slices.begin(), slices.end(), more.id,
                                 [](const label_slices& a, label l) { return a.id < l; });
            if (at != slices.end() && at->id == more.id) {
                at->extent = more.extent;
                at->count *= more.count;
            } else {
                slices.insert(at, more);
            }
        }
        double all = 1;
        for (const label_slices& one : slices) {
            all *= static_cast<double>(one.count);
        }
        if (all > most_slices) {
            error.code = error_code::memory_limit;
            error.reason = "slices within the limit are more than can be counted";
        }
    }
};

/// Reads what the caller wants of labels with these extents, of which the result has some.
template <class Labels>
[[nodiscard]] given_slices read_slices(const Labels& wanted, list_view<const std::int64_t> extents,
                                       list_view<const label> output) {
    dependent<Labels, given_slices> out;
    const auto refuse = [&out](const char* reason, std::int64_t found) {
        out.slices.clear();
        out.error.code = error_code::bad_option;
        out.error.reason = reason;
        out.error.found = found;
        return out;
    };
    double all = 1;
    for (const sliced_label& s : wanted) {
        if (s.id < 0 || static_cast<std::size_t>(s.id) >= extents.size()) {
            return refuse("slices name a label that the equation lacks; it", s.id);
        }
        const std::int64_t extent = extents[static_cast<std::size_t>(s.id)];
        const std::int64_t count = s.count == 0 ? extent : s.count;
        if (count < 0) {
            return refuse("a label has a negative number of slices", -1);
        }
        if (extent % count != 0) {
            return refuse("the number of slices of a label, whose extent it does not divide,",
                          count);
        }
        if (std::any_of(out.slices.begin(), out.slices.end(),
                        [&](const label_slices& other) { return other.id == s.id; })) {
            return refuse("a label that slices name twice", s.id);
        }
        all *= static_cast<double>(count);
        if (all > most_slices) {
            return refuse("slices of all labels together are more than can be counted", -1);
        }
        const bool kept = std::find(output.begin(), output.end(), s.id) != output.end();
        out.slices.push_back({s.id, extent / count, count, kept});
    }
    std::erase_if(out.slices, [](const label_slices& s) { return s.count == 1; });
    std::sort(out.slices.begin(), out.slices.end(),
              [](const label_slices& a, const label_slices& b) { return a.id < b.id; });
    return out;
}

}  // namespace xeinsum::planning
