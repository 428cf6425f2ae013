// Rank 0: deals out the parts of "ab,bc,cd->ad", one of its threads computing parts of its own, and
// adds up what comes back.
#pragma once

#include "arguments.hpp"
#include "checkpoint.hpp"
#include "messages.hpp"
#include "ordered_sum.hpp"
#include "sliced_network.hpp"

#include "../support/progress.hpp"

#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <iostream>
#include <mutex>
#include <optional>
#include <set>
#include <thread>
#include <utility>
#include <vector>

namespace mpi_network {

/// A thread that computes the parts it is given, one after the other.
class computing_thread {
public:
    explicit computing_thread(sliced_network& task) : task_(task), thread_([this] { work(); }) {}
    computing_thread(const computing_thread&) = delete;
    computing_thread& operator=(const computing_thread&) = delete;
    ~computing_thread() {
        {
            const std::lock_guard lock(mutex_);
            ends_ = true;
        }
        woken_.notify_one();
        thread_.join();
    }

    void give(std::int64_t part) {
        {
            const std::lock_guard lock(mutex_);
            given_ = part;
        }
        woken_.notify_one();
    }
    /// The sum of the part that was given, once it is there. Throws what computing it threw.
    [[nodiscard]] std::optional<std::vector<double>> taken() {
        const std::lock_guard lock(mutex_);
        if (thrown_) {
            std::rethrow_exception(thrown_);
        }
        return std::exchange(done_, std::nullopt);
    }

private:
    void work() {
        std::unique_lock lock(mutex_);
        while (true) {
            woken_.wait(lock, [&] { return ends_ || given_.has_value(); });
            if (ends_) {
                return;
            }
            const std::int64_t part = *std::exchange(given_, std::nullopt);
            lock.unlock();
            std::optional<std::vector<double>> sum;
            std::exception_ptr thrown;
            try {
                sum = task_.sum(part);
            } catch (...) {
                thrown = std::current_exception();
            }
            lock.lock();
            done_ = std::move(sum);
            thrown_ = thrown;
        }
    }

    sliced_network& task_;
    std::mutex mutex_{};
    std::condition_variable woken_{};
    std::optional<std::int64_t> given_{};
    std::optional<std::vector<double>> done_{};
    std::exception_ptr thrown_{};
    bool ends_ = false;
    std::thread thread_;  // last: it uses the others
};

class coordinator {
public:
    coordinator(sliced_network& task, const arguments& wanted, int ranks)
        : task_(task), every_(wanted.checkpoint_seconds), ranks_(ranks), sums_(task.parts()) {
        for (std::int64_t part = 0; part < task.parts(); ++part) {
            left_.insert(left_.end(), part);
        }
        if (wanted.killed_rank == 0) {
            killed_after_ = static_cast<std::size_t>(wanted.killed_after);
        }
        if (!wanted.checkpoint.empty()) {
            file_.emplace(wanted.checkpoint, task.text(), task.result_size());
            if (file_->read(sums_)) {
                const std::size_t all = left_.size();
                for (const auto& [at, values] : sums_.waiting()) {
                    const auto [first, last] = sums_.parts_of(at);
                    left_.erase(left_.lower_bound(first), left_.lower_bound(last));
                }
                std::cerr << "goes on from " << wanted.checkpoint << ": " << all - left_.size()
                          << " of " << all << " parts are there\n";
            }
        }
    }

    /// The result. Every part is summed by whoever is free; a slow rank holds up no other.
    [[nodiscard]] std::vector<double> run() {
        computing_thread own(task_);
        shown_.emplace(left_.size());
        for (int rank = 1; rank < ranks_; ++rank) {
            // The second one is there when the first is done.
            send_next(rank);
            send_next(rank);
        }
        std::int64_t computing = next();
        if (computing != no_part) {
            own.give(computing);
        }
        auto saved = clock::now();
        std::size_t saved_parts = 0;
        while (sums_.result() == nullptr) {
            bool idle = true;
            if (auto sum = own.taken()) {
                add(computing, std::move(*sum));
                computing = next();
                if (computing != no_part) {
                    own.give(computing);
                }
                idle = false;
            }
            int rank = 0;
            if (auto result = receive_result(task_.result_size(), rank)) {
                send_next(rank);
                add(result->first, std::move(result->second));
                idle = false;
            }
            if (file_ && added_ > saved_parts && clock::now() - saved >= every_) {
                file_->write(sums_);
                saved = clock::now();
                saved_parts = added_;
                if (killed_after_ && added_ >= *killed_after_) {
                    std::raise(SIGKILL);
                }
            }
            if (idle) {
                // A waiting rank would otherwise take the core from the one that computes.
                std::this_thread::sleep_for(std::chrono::microseconds(200));
            }
        }
        if (file_) {
            file_->write(sums_);
        }
        shown_->clear();
        return *sums_.result();
    }

private:
    using clock = std::chrono::steady_clock;

    [[nodiscard]] std::int64_t next() {
        return left_.empty() ? no_part : left_.extract(left_.begin()).value();
    }
    void send_next(int rank) { send_part(next(), rank); }
    void add(std::int64_t part, std::vector<double> sum) {
        sums_.add({0, part}, std::move(sum));
        shown_->show(++added_, "parts");
    }

    sliced_network& task_;
    std::chrono::duration<double> every_;
    int ranks_;
    ordered_sum sums_;
    std::set<std::int64_t> left_{};
    std::optional<checkpoint> file_{};
    std::optional<progress::counted> shown_{};
    std::size_t added_ = 0;
    std::optional<std::size_t> killed_after_{};
};

}  // namespace mpi_network
