// Which call it was that touched a guard page: doctest says that "ij,jk->ik" ended in SIGSEGV, but
// not of which seed.
#pragma once

#include <signal.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace random_calls {

/// While it lives, a fault is reported with the seed that was set last, before whoever else handles
/// the signal.
class fault_message {
public:
    fault_message() {
        struct sigaction ours {};
        ours.sa_handler = &report;
        ours.sa_flags = SA_ONSTACK;
        sigaction(SIGSEGV, &ours, &before());
    }
    fault_message(const fault_message&) = delete;
    fault_message& operator=(const fault_message&) = delete;
    ~fault_message() { sigaction(SIGSEGV, &before(), nullptr); }

    void set(std::uint64_t seed) { current() = seed; }

private:
    static struct sigaction& before() {
        static struct sigaction action;
        return action;
    }
    static volatile std::uint64_t& current() {
        static volatile std::uint64_t seed = 0;
        return seed;
    }
    static void write_out(std::string_view text) {
        static_cast<void>(!write(STDERR_FILENO, text.data(), text.size()));
    }
    static void report(int /*signal*/) {
        std::array<char, 24> digits;
        const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), current()).ptr;
        write_out("memory was touched that is nobody's: XEINSUM_RANDOM_SEED=");
        write_out({digits.data(), static_cast<std::size_t>(end - digits.data())});
        write_out(" XEINSUM_RANDOM_CASES=1 does it again\n");
        // The instruction is tried again, and faults for the handler from before.
        sigaction(SIGSEGV, &before(), nullptr);
    }
};

}  // namespace random_calls
