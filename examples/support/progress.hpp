// One line on a terminal that says how much of a long task is done, such as
// "12 of 96, about 3 min left: ij,jk->ik". It is on stderr, rewritten in place and wiped in the
// end; where stderr is no terminal there is nothing.
#pragma once

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <future>
#include <iostream>
#include <string>
#include <string_view>

namespace progress {

/// 200 s as "3 min".
inline std::string time_text(double seconds) {
    const bool long_time = seconds >= 120;
    return std::to_string(std::lround(long_time ? seconds / 60 : seconds)) +
           (long_time ? " min" : " s");
}

/// The line.
class line {
public:
    line() = default;
    line(const line&) = delete;
    line& operator=(const line&) = delete;
    ~line() { clear(); }

    [[nodiscard]] bool is_shown() const noexcept { return on_terminal_; }

    void show(std::string text) {
        if (!on_terminal_) {
            return;
        }
        // A line that is wrapped could not be rewritten.
        winsize size{};
        const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
        text.resize(std::min<std::size_t>(text.size(), (known ? size.ws_col : 80U) - 1U));
        const std::size_t length = text.size();
        text.resize(std::max(length, length_), ' ');
        std::cerr << '\r' << text << std::flush;
        length_ = length;
    }

    void clear() {
        if (length_ > 0) {
            std::cerr << '\r' << std::string(length_, ' ') << '\r' << std::flush;
            length_ = 0;
        }
    }

private:
    bool on_terminal_ = isatty(STDERR_FILENO) == 1;
    std::size_t length_ = 0;  // of what is there
};

/// For tasks of parts that can be counted.
class counted {
public:
    explicit counted(std::size_t all) : all_(all) {}

    /// The part that comes after so many. The others are taken to last as long as these on average.
    void show(std::size_t done, std::string_view what) {
        std::string text = std::to_string(done) + " of " + std::to_string(all_);
        if (done > 0) {
            const std::chrono::duration<double> spent = clock::now() - start_;
            const double share = static_cast<double>(all_ - done) / static_cast<double>(done);
            text += ", about " + time_text(spent.count() * share) + " left";
        }
        line_.show(text.append(": ").append(what));
    }
    void clear() { line_.clear(); }

private:
    using clock = std::chrono::steady_clock;

    line line_{};
    std::size_t all_;
    clock::time_point start_ = clock::now();
};

/// The result of a task that does not report its progress. After a second the time is shown, and
/// what is left of so many seconds if they are finite.
template <class Task>
auto watched(std::string_view what, double seconds, Task task) {
    line shown;
    if (!shown.is_shown()) {
        return task();
    }
    auto result = std::async(std::launch::async, task);
    for (int spent = 1; result.wait_for(std::chrono::seconds(1)) != std::future_status::ready;
         ++spent) {
        std::string text(what);
        text += ", " + time_text(spent) + " so far";
        if (std::isfinite(seconds)) {
            text += ", " + time_text(std::max(seconds - spent, 0.0)) + " left";
        }
        shown.show(text);
    }
    return result.get();
}

}  // namespace progress
