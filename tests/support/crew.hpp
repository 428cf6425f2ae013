// Threads for tests of parallel_for: "ij,jk->ik" in pieces, each on a thread that is made for it.
#pragma once

#include <xeinsum/plan/parallel_for.hpp>

#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace support {

/// Runs every piece on a thread of its own.
class crew {
public:
    void operator()(std::size_t count, xeinsum::pieces_of_work body) const {
        ++calls_;
        std::vector<std::thread> threads;
        for (std::size_t i = 0; i < count; ++i) {
            threads.emplace_back([body, i] { body(i); });
        }
        for (auto& t : threads) {
            t.join();
        }
    }
    /// How often it was called.
    [[nodiscard]] int calls() const { return calls_; }

private:
    mutable std::atomic<int> calls_{0};
};

}  // namespace support
