// The command line of bench_peers: --filter 'bhqd|bqhd' --rounds 15 --json out.json --markdown.
#pragma once

#include <cstddef>
#include <string>

namespace bench {

struct arguments {
    /// Cases whose name holds a match are measured.
    std::string filter{};
    /// Peers whose name holds a match take part.
    std::string peers{};
    std::string machine{};
    std::string json{};
    std::size_t rounds = 11;
    bool markdown = false;
    /// Compare with xeinsum's forced lowerings, not with peers.
    bool regret = false;
    /// How many cases drawn at random join the tables.
    std::size_t random = 0;
    /// Whether products and sums of thin shapes join them.
    bool thin = false;
    /// Whether products of matrices of every shape and layout join them.
    bool matrices = false;
    bool help = false;
};

/// Throws std::invalid_argument for what is not understood.
[[nodiscard]] arguments read_arguments(int argc, char** argv);

[[nodiscard]] std::string usage();

}  // namespace bench
