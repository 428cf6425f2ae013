// What explain --measure prints: for "nkctv,kvw->nctw" the predicted time of each lowering beside
// the time that it takes on this machine.
#pragma once

#include "support/progress.hpp"

#include <xeinsum/compiled.hpp>
#include <xeinsum/plan.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <iomanip>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace example {

/// make_plan, with its progress on a terminal.
template <class T>
xeinsum::plan<T> watched_plan(std::string_view equation,
                              const std::vector<std::vector<std::size_t>>& shapes,
                              const xeinsum::options& wanted) {
    return progress::watched("planning", wanted.path_seconds,
                             [&] { return xeinsum::make_plan<T>(equation, shapes, wanted); });
}

/// A plan with a forced lowering, and its time.
template <class T>
struct lowering_trial {
    std::string name{};
    std::string refusal{};  ///< why it does not apply
    std::unique_ptr<xeinsum::plan<T>> plan{};
    std::size_t repetitions = 1;  ///< runs in a sample, so that it is long enough for the clock
    std::vector<double> seconds{};
};

/// Plans the equation by every lowering, runs the plans in turn for about a second and prints
/// predicted and measured time. The options' own lowering is left aside.
template <class T>
void print_times(std::string_view equation, const std::vector<std::vector<std::size_t>>& shapes,
                 xeinsum::options wanted) {
    using clock = std::chrono::steady_clock;
    constexpr double sample_seconds = 1e-3, total_seconds = 1;
    std::vector<lowering_trial<T>> trials;
    std::size_t memory_bytes = 0;
    for (const xeinsum::lowering l : xeinsum::lowerings_in_order) {
        lowering_trial<T> t;
        t.name = name(l);
        wanted.lowering = l;
        try {
            t.plan = std::make_unique<xeinsum::plan<T>>(watched_plan<T>(equation, shapes, wanted));
            memory_bytes = std::max(memory_bytes, t.plan->workspace_bytes());
        } catch (const xeinsum::einsum_error& e) {
            const std::string_view message = e.what();
            t.refusal = message.substr(0, message.find('\n'));
        }
        trials.push_back(std::move(t));
    }
    std::vector<xt::xarray<T>> operands;
    for (const auto& shape : shapes) {
        operands.push_back(xt::xarray<T>::from_shape(shape));
        std::fill(operands.back().storage().begin(), operands.back().storage().end(), T(1));
    }
    xeinsum::workspace memory(memory_bytes);
    xt::xarray<T> out;
    const auto run = [&](lowering_trial<T>& t) {
        const auto start = clock::now();
        for (std::size_t r = 0; r < t.repetitions; ++r) {
            t.plan->run(out, memory, operands);
        }
        return std::chrono::duration<double>(clock::now() - start).count();
    };
    const auto applies = [](const lowering_trial<T>& t) { return t.plan != nullptr; };
    for (lowering_trial<T>& t : trials) {
        if (applies(t)) {
            const auto& extents = t.plan->output_extents();
            out.resize(std::vector<std::size_t>(extents.begin(), extents.end()));
            while (run(t) < sample_seconds) {
                t.repetitions *= 2;
            }
        }
    }
    const auto start = clock::now();
    for (int round = 0;
         round < 3 ||
         (round < 101 && clock::now() - start < std::chrono::duration<double>(total_seconds));
         ++round) {
        for (lowering_trial<T>& t : trials) {
            if (applies(t)) {
                t.seconds.push_back(run(t) / static_cast<double>(t.repetitions));
            }
        }
    }
    std::cout << "measured\n" << std::setprecision(3);
    for (lowering_trial<T>& t : trials) {
        std::cout << "  " << std::left << std::setw(26) << t.name;
        if (!applies(t)) {
            std::cout << t.refusal << '\n';
            continue;
        }
        // Whatever else the machine does only adds time.
        const double least = *std::min_element(t.seconds.begin(), t.seconds.end());
        std::cout << "predicted " << std::setw(9) << t.plan->predicted_seconds() * 1e6
                  << " us, measured " << std::setw(9) << least * 1e6 << " us, ratio "
                  << least / t.plan->predicted_seconds() << '\n';
    }
}

}  // namespace example
