// Runs two pieces on the backend that was asked for.
#include <xeinsum/thread_backend.hpp>

#include <atomic>
#include <thread>

static_assert(xeinsum::thread_backend() == BACKEND);

int main() {
    // Each piece waits for the other: one thread alone would wait for ever.
    std::atomic<int> begun{0};
    const auto piece = [](const void* object, std::size_t) {
        auto& count = *static_cast<std::atomic<int>*>(const_cast<void*>(object));
        ++count;
        while (count < 2) {
            std::this_thread::yield();
        }
    };
    xeinsum::lowerings::run_parallel({}, 2, xeinsum::pieces_of_work(&begun, piece));
    return begun == 2 ? 0 : 1;
}
