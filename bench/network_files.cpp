// Plans with operations, largest intermediate and slices; runs where they are short, beside
// at::einsum step by step: "ab,bc,cd->ad" by (1, 2), (0, 1) is two calls of it.
#include "network_files.hpp"

#include "../tests/support/network_file.hpp"
#include "interleaved.hpp"
#include "network_peer.hpp"
#include "numbers.hpp"

#include <xeinsum/plan.hpp>

#include <support/progress.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <functional>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

namespace bench {
namespace {

using support::published_network;
using plan = xeinsum::plan<float>;

struct planned {
    plan found;
    double seconds = 0;  // of planning
};

std::optional<planned> plan_of(const published_network& n, xeinsum::options wanted, bool theirs,
                               const network_limits& limits) {
    if (theirs && n.pairs.empty()) {
        return std::nullopt;
    }
    if (theirs) {
        wanted.path = xeinsum::path_strategy::linear_pairs;
        wanted.path_pairs = n.pairs;
    }
    const auto equation = xeinsum::equation::from_labels(n.terms, n.output);
    const auto start = std::chrono::steady_clock::now();
    plan found = progress::watched("planning " + n.name, limits.search_seconds * 2, [&] {
        return xeinsum::make_plan<float>(equation, n.shapes, wanted);
    });
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    return planned{std::move(found), took.count()};
}

/// Operands near the value for which the result is near 1.
std::vector<xt::xarray<float>> operands_of(const published_network& n) {
    double logarithm = 0;
    for (std::size_t l = 0; l < n.extents.size(); ++l) {
        const bool kept =
            std::find(n.output.begin(), n.output.end(), static_cast<int>(l)) != n.output.end();
        logarithm -= kept ? 0 : std::log(static_cast<double>(n.extents[l]));
    }
    const auto middle = static_cast<float>(
        std::exp(logarithm / static_cast<double>(std::max<std::size_t>(n.terms.size(), 1))));
    std::vector<xt::xarray<float>> operands;
    for (const auto& extents : n.shapes) {
        operands.push_back(numbers(extents, -0.2F, 0.2F));
        for (float& element : operands.back().storage()) {
            element = middle * (1 + element);
        }
    }
    return operands;
}

bool agree(const float* one, const float* other, std::size_t elements) {
    float largest = 0;
    float difference = 0;
    for (std::size_t i = 0; i < elements; ++i) {
        largest = std::max(largest, std::abs(one[i]));
        difference = std::max(difference, std::abs(one[i] - other[i]));
    }
    return difference <= 1e-3F * largest;
}

bool may_run(const std::optional<planned>& p, const network_limits& limits) {
    return p && p->found.predicted_seconds() <= limits.longest_run_seconds &&
           static_cast<double>(p->found.workspace_bytes()) <
               4 * limits.intermediate_gib * 1073741824.0;
}

/// Runs of each order by a plan, and by at::einsum; a way is missing where it cannot be run.
struct times {
    std::vector<std::vector<double>> seconds{{-1, -1}, {-1, -1}};  // by order: ours, at::einsum
    bool agree = true;
};

times run_all(const published_network& n, const std::vector<std::optional<planned>>& plans,
              const network_limits& limits) {
    times t;
    std::vector<xt::xarray<float>> in = operands_of(n);
    std::vector<network_operand> tensors;
    for (auto& a : in) {
        tensors.push_back({a.data(), {a.shape().begin(), a.shape().end()}});
    }
    std::vector<std::function<void()>> ways;
    std::vector<double*> to;
    std::vector<xt::xarray<float>> results;
    std::vector<xeinsum::workspace> memory;
    results.reserve(plans.size());
    memory.reserve(plans.size());
    const float* first = nullptr;
    for (std::size_t i = 0; i < plans.size(); ++i) {
        if (!may_run(plans[i], limits)) {
            continue;
        }
        const plan& p = plans[i]->found;
        results.push_back(xt::xarray<float>::from_shape(
            shape(p.output_extents().begin(), p.output_extents().end())));
        memory.push_back(p.make_workspace());
        auto& out = results.back();
        auto& workspace = memory.back();
        p.run(out, workspace, in);
        first = first == nullptr ? out.data() : first;
        t.agree = t.agree && agree(first, out.data(), out.size());
        ways.emplace_back([&] { p.run(out, workspace, in); });
        to.push_back(&t.seconds[i][0]);
        if (p.slices().empty()) {
            if (const auto peer = network_path_peer(n.terms, n.output, tensors, p.path())) {
                t.agree = t.agree && agree(first, peer(), out.size());
                ways.emplace_back([peer] { static_cast<void>(peer()); });
                to.push_back(&t.seconds[i][1]);
            }
        }
    }
    double longest = 0;
    for (const auto& p : plans) {
        longest = std::max(longest, may_run(p, limits) ? p->found.predicted_seconds() : 0);
    }
    const samples found = time_interleaved(ways, longest > 0.5 ? 1 : 5);
    for (std::size_t w = 0; w < ways.size(); ++w) {
        *to[w] = found.median(w);
    }
    return t;
}

std::string time_cell(double seconds) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3f", seconds * 1e3);
    return seconds < 0 ? "-" : text;
}

void print(const std::string& name, const char* order, const planned& p,
           const std::vector<double>& runs) {
    double slices = 1;
    for (const xeinsum::label_slices& s : p.found.slices()) {
        slices *= static_cast<double>(s.count);
    }
    std::printf(
        "%-42s %-7s %10.3f %10.1f %10.4g %12.2f %12.4g %12s %12s\n", name.c_str(), order,
        std::log10(p.found.flops()),
        std::log2(static_cast<double>(std::max<std::int64_t>(p.found.largest_intermediate(), 1))),
        slices, p.seconds * 1e3, p.found.predicted_seconds() * 1e3, time_cell(runs[0]).c_str(),
        time_cell(runs[1]).c_str());
    std::fflush(stdout);
}

}  // namespace

bool run_network_file(const std::string& file, const network_limits& limits) {
    const std::vector<published_network> networks = support::read_networks(file);
    xeinsum::options wanted;
    wanted.path_seconds = limits.search_seconds;
    wanted.memory_limit = static_cast<std::size_t>(limits.intermediate_gib * 1073741824.0);
    std::printf("%-42s %-7s %10s %10s %10s %12s %12s %12s %12s\n", "network", "order", "log10 flop",
                "log2 large", "slices", "ms, planning", "ms, foretold", "ms, run", "ms, einsum");
    bool fine = !networks.empty();
    progress::counted progress(networks.size());
    for (std::size_t i = 0; i < networks.size(); ++i) {
        const published_network& n = networks[i];
        progress.show(i, n.name);
        const std::vector<std::optional<planned>> plans{plan_of(n, wanted, false, limits),
                                                        plan_of(n, wanted, true, limits)};
        const times t = run_all(n, plans, limits);
        progress.clear();
        print(n.name, "ours", *plans[0], t.seconds[0]);
        if (plans[1]) {
            print(n.name, "theirs", *plans[1], t.seconds[1]);
        }
        if (!t.agree) {
            std::printf("%-42s results differ\n", n.name.c_str());
            fine = false;
        }
    }
    return fine;
}

}  // namespace bench
