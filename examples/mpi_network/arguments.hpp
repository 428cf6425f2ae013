// What mpi_network was asked for: mpi_network networks.txt --name lattice --memory-limit 1000000.
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

namespace mpi_network {

inline constexpr std::string_view usage = R"(usage: mpi_network FILE [OPTION VALUE]...

Contracts a network of a file, whose format is described in bench/README.md, on all ranks.

  --name NAME           which network of the file; the first one otherwise
  --memory-limit BYTES  of each intermediate, which decides how many slices there are
  --part SLICES         slices that a rank takes at a time; 1 otherwise. The result's bits depend on it
  --checkpoint FILE     keeps what is summed in a file, and goes on from there if it exists
  --every SECONDS       between two checkpoints; 60 otherwise
  --check 1             compares the result with the reference, which takes small networks only
  --kill RANK:PARTS     that rank kills itself after so many parts, to try what comes then; rank 0
                        when so many of all ranks are in the checkpoint
)";

struct arguments {
    std::string file{};
    std::string name{};
    std::size_t memory_limit = std::numeric_limits<std::size_t>::max();
    std::int64_t slices_per_part = 1;
    std::string checkpoint{};
    double checkpoint_seconds = 60;
    bool check = false;
    int killed_rank = -1;
    std::int64_t killed_after = 0;
};

namespace detail {

template <class Number>
Number number(std::string_view text, Number least) {
    Number n{};
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), n);
    if (fault != std::errc{} || end != text.data() + text.size() || n < least) {
        throw std::invalid_argument("not a number from " + std::to_string(least) + ": " +
                                    std::string(text));
    }
    return n;
}

}  // namespace detail

/// Throws std::invalid_argument, with what is wrong or the usage.
inline arguments read_arguments(int count, const char* const* values) {
    arguments a;
    if (count < 2 || count % 2 != 0) {
        throw std::invalid_argument(std::string(usage));
    }
    a.file = values[1];
    for (int i = 2; i < count; i += 2) {
        const std::string_view option = values[i];
        const std::string_view value = values[i + 1];
        if (option == "--name") {
            a.name = value;
        } else if (option == "--memory-limit") {
            a.memory_limit = detail::number<std::size_t>(value, 1);
        } else if (option == "--part") {
            a.slices_per_part = detail::number<std::int64_t>(value, 1);
        } else if (option == "--checkpoint") {
            a.checkpoint = value;
        } else if (option == "--every") {
            a.checkpoint_seconds = detail::number<double>(value, 0);
        } else if (option == "--check") {
            a.check = value != "0";
        } else if (option == "--kill") {
            const auto colon = value.find(':');
            a.killed_rank = detail::number<int>(value.substr(0, colon), 0);
            a.killed_after =
                colon == value.npos ? 0 : detail::number<std::int64_t>(value.substr(colon + 1), 0);
        } else {
            throw std::invalid_argument("no option: " + std::string(option) + "\n\n" +
                                        std::string(usage));
        }
    }
    return a;
}

}  // namespace mpi_network
