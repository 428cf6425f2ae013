// Checks, calibrates and times the contestants of a case such as "ij,jk->ik".
#include "measure.hpp"

#include "check.hpp"
#include "matrix_product.hpp"
#include "planned.hpp"
#include "task.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <limits>
#include <numeric>
#include <optional>
#include <random>

namespace bench {

namespace {

// A sample takes this many seconds or more.
constexpr double sample_seconds = 0.3e-3;
// Computations shorter than this run untimed before each sample, once or for two milliseconds, to
// find their data in cache again and not what another contestant has left there: a last cache that
// holds an array, but not much more, takes some passes until the array is in it.
constexpr double warm_up_seconds = 20e-3;
constexpr double settling_seconds = 2e-3;

/// Seconds of work, by all threads of the process or by this one.
double worked(clockid_t whose) {
    std::timespec t{};
    clock_gettime(whose, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

struct span_of_time {
    double elapsed;
    double own;     ///< work of this thread
    double others;  ///< work of other threads
};

template <class Run>
span_of_time time_of(const Run& run, std::size_t repetitions) {
    using clock = std::chrono::steady_clock;
    const double all = worked(CLOCK_PROCESS_CPUTIME_ID);
    const double own = worked(CLOCK_THREAD_CPUTIME_ID);
    const auto start = clock::now();
    run(repetitions);
    const std::chrono::duration<double> elapsed = clock::now() - start;
    const double own_work = worked(CLOCK_THREAD_CPUTIME_ID) - own;
    return {elapsed.count(), own_work, worked(CLOCK_PROCESS_CPUTIME_ID) - all - own_work};
}

template <class T>
class contest {
public:
    contest(const bench_case& c, const std::vector<const peer*>& peers)
        : task_(c), product_(as_matrix_product(task_)) {
        found_.name = name(c);
        found_.lowerings = chosen_lowerings(task_);
        found_.flops = task_.flops();
        found_.bytes = task_.bytes();
        found_.xeinsum.name = "xeinsum";
        works_.push_back({repeat(plan_of(task_))});
        for (const peer* p : peers) {
            found_.peers.push_back({p->name(), p->is_blas(), p->is_lowering()});
            works_.push_back(p->prepare(task_, product_ ? &*product_ : nullptr));
            found_.peers.back().as_chosen = works_.back().as_chosen;
        }
    }

    [[nodiscard]] measurement run(std::size_t rounds) {
        check();
        calibrate();
        // Shuffled, so that none always follows the same other and finds what that one leaves.
        std::vector<std::size_t> order(works_.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::minstd_rand random(1);
        for (std::size_t round = 0; round < rounds; ++round) {
            std::shuffle(order.begin(), order.end(), random);
            std::for_each(order.begin(), order.end(), [&](std::size_t i) { sample(i); });
        }
        for (std::size_t i = 0; i < works_.size(); ++i) {
            timing& t = timing_of(i);
            t.threaded = others_[i] > 0.1 * own_[i] + 1e-3;
        }
        return found_;
    }

private:
    [[nodiscard]] timing& timing_of(std::size_t contestant) {
        return contestant == 0 ? found_.xeinsum : found_.peers[contestant - 1];
    }

    /// Runs a contestant on poisoned memory and returns its result in the output's order.
    [[nodiscard]] std::vector<T> result_of(const work<T>& w) {
        const auto& out = task_.output();
        constexpr T poison = std::numeric_limits<T>::quiet_NaN();
        std::fill_n(out.data(), out.size(), poison);
        if (w.place == place::matrices) {
            std::fill_n(product_->c.data(), product_->c.size(), poison);
        }
        w.run(1);
        if (w.place == place::matrices) {
            permute_to_output(task_, *product_, out.data());
        }
        const T* elements = w.result ? w.result() : out.data();
        return {elements, elements + out.size()};
    }

    /// Takes contestants with wrong results out.
    void check() {
        const std::vector<T> expected = result_of(works_[0]);
        found_.xeinsum.wrong = !agrees_with_reference(task_, expected.data());
        for (std::size_t i = 1; i < works_.size(); ++i) {
            if (works_[i].run && works_[i].place != place::nowhere) {
                timing_of(i).wrong = result_of(works_[i]) != expected;
            }
        }
        for (std::size_t i = 0; i < works_.size(); ++i) {
            if (timing_of(i).wrong) {
                works_[i] = {};
            }
        }
    }

    void calibrate() {
        for (std::size_t i = 0; i < works_.size(); ++i) {
            if (!works_[i].run) {
                continue;
            }
            std::size_t& repetitions = timing_of(i).repetitions;
            double seconds = time_of(works_[i].run, repetitions).elapsed;
            while (seconds < sample_seconds) {
                const double wanted = 1.3 * sample_seconds / std::max(seconds, 1e-7);
                const double growth = std::clamp(wanted, 1.5, 10.0);
                repetitions =
                    static_cast<std::size_t>(std::ceil(static_cast<double>(repetitions) * growth));
                seconds = time_of(works_[i].run, repetitions).elapsed;
            }
        }
    }

    void sample(std::size_t contestant) {
        const auto& run = works_[contestant].run;
        if (!run) {
            return;
        }
        timing& t = timing_of(contestant);
        if (t.seconds.empty() || t.seconds.back() < warm_up_seconds) {
            const double once = t.seconds.empty() ? settling_seconds : t.seconds.back();
            run(static_cast<std::size_t>(std::ceil(std::clamp(settling_seconds / once, 1.0, 1e6))));
        }
        const span_of_time time = time_of(run, t.repetitions);
        t.seconds.push_back(time.elapsed / static_cast<double>(t.repetitions));
        own_[contestant] += time.own;
        others_[contestant] += time.others;
    }

    task<T> task_;
    std::optional<matrix_product<T>> product_;
    measurement found_{};
    std::vector<work<T>> works_{};
    // Work of this thread and of others, for each contestant.
    std::vector<double> own_ = std::vector<double>(all_peers().size() + 1, 0.0);
    std::vector<double> others_ = own_;
};

}  // namespace

measurement measure(const bench_case& c, const std::vector<const peer*>& peers,
                    std::size_t rounds) {
    if (c.element == element::f32) {
        return contest<float>(c, peers).run(rounds);
    }
    return contest<double>(c, peers).run(rounds);
}

double quantile(std::vector<double> numbers, double part) {
    if (numbers.empty()) {
        return 0;
    }
    std::sort(numbers.begin(), numbers.end());
    const double at = part * static_cast<double>(numbers.size() - 1);
    const auto below = static_cast<std::size_t>(at);
    const std::size_t above = std::min(below + 1, numbers.size() - 1);
    return std::lerp(numbers[below], numbers[above], at - static_cast<double>(below));
}

double speed_over(const timing& xeinsum, const timing& peer) {
    if (!xeinsum.measured() || !peer.measured()) {
        return 0;
    }
    std::vector<double> ratios;
    for (std::size_t round = 0; round < peer.seconds.size(); ++round) {
        ratios.push_back(peer.seconds[round] / xeinsum.seconds[round]);
    }
    return quantile(ratios, 0.5);
}

}  // namespace bench
