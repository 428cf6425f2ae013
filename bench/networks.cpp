// Networks of many operands, such as "ab,bc,cd,de->ae", by a plan and by at::einsum in turn, on one
// thread. Prints one line a case, and the geometric mean. With files: networks that others
// published, by our order of contraction and by theirs.
#include "interleaved.hpp"
#include "network_files.hpp"
#include "network_peer.hpp"
#include "numbers.hpp"

#include <xeinsum/plan.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

namespace {

using bench::shape;

struct network {
    std::string name{};
    std::string equation{};
    std::vector<shape> shapes{};
};

/// The label number n.
char label(std::size_t n) {
    return static_cast<char>(n < 26 ? 'a' + n : 'A' + (n - 26));
}

/// A matrix after the other, with extents that differ.
network chain(std::size_t operands) {
    network n{"chain of " + std::to_string(operands)};
    const auto extent = [](std::size_t l) { return 12 + 7 * l % 40; };
    for (std::size_t i = 0; i < operands; ++i) {
        n.equation += i == 0 ? "" : ",";
        n.equation += {label(i), label(i + 1)};
        n.shapes.push_back({extent(i), extent(i + 1)});
    }
    n.equation += "->";
    n.equation += {label(0), label(operands)};
    return n;
}

/// Cores of three axes, each behind the first followed by a vector for its outer axis: in this
/// order a search from left to right does well.
network tensor_train(std::size_t cores) {
    network n{"tensor train of " + std::to_string(cores) + " cores and vectors"};
    for (std::size_t i = 0; i < cores; ++i) {
        n.equation += i == 0 ? "" : ",";
        n.equation += {label(i), label(26 + i), label(i + 1)};
        n.shapes.push_back({i == 0 ? 1U : 16U, 8 + i % 3, i + 1 == cores ? 1U : 16U});
        if (i > 0) {
            n.equation += {',', label(26 + i)};
            n.shapes.push_back({8 + i % 3});
        }
    }
    n.equation += "->";
    n.equation += label(26);
    return n;
}

/// Appends a node of a binary tree behind its children: node i holds an edge to its parent and one
/// to each of the nodes 2 i + 1 and 2 i + 2.
void add_subtree(network& n, std::size_t i, std::size_t nodes) {
    if (i >= nodes) {
        return;
    }
    add_subtree(n, 2 * i + 1, nodes);
    add_subtree(n, 2 * i + 2, nodes);
    n.equation += n.shapes.empty() ? "" : ",";
    shape extents;
    for (const std::size_t edge : {i, 2 * i + 1, 2 * i + 2}) {
        if (edge < nodes) {
            n.equation += label(edge);
            extents.push_back(5 + edge % 4);
        }
    }
    n.shapes.push_back(extents);
}

network tree(std::size_t nodes) {
    network n{"tree of " + std::to_string(nodes)};
    add_subtree(n, 0, nodes);
    n.equation += "->a";
    return n;
}

/// A square lattice, its neighbours joined.
network lattice(std::size_t rows, std::size_t columns) {
    network n{"lattice of " + std::to_string(rows) + " x " + std::to_string(columns)};
    const auto across = [&](std::size_t i, std::size_t j) { return i * (columns - 1) + j; };
    const auto down = [&](std::size_t i, std::size_t j) {
        return rows * (columns - 1) + i * columns + j;
    };
    for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t j = 0; j < columns; ++j) {
            n.equation += n.shapes.empty() ? "" : ",";
            std::vector<std::size_t> edges;
            if (j > 0) {
                edges.push_back(across(i, j - 1));
            }
            if (j + 1 < columns) {
                edges.push_back(across(i, j));
            }
            if (i > 0) {
                edges.push_back(down(i - 1, j));
            }
            if (i + 1 < rows) {
                edges.push_back(down(i, j));
            }
            shape extents;
            for (const std::size_t e : edges) {
                n.equation += label(e);
                extents.push_back(2 + e % 2);
            }
            n.shapes.push_back(extents);
        }
    }
    n.equation += "->";
    return n;
}

std::vector<network> networks() {
    return {{"bilinear form", "bi,oij,bj->bo", {{64, 40}, {30, 40, 50}, {64, 50}}},
            {"attention of four",
             "bqhd,bkhd,bkhe,heo->bqo",
             {{1, 64, 4, 32}, {1, 64, 4, 32}, {1, 64, 4, 32}, {4, 32, 128}}},
            chain(3),
            chain(10),
            chain(40),
            chain(50),
            tensor_train(6),
            tensor_train(12),
            tree(15),
            tree(40),
            tree(50),
            lattice(3, 4),
            lattice(4, 5)};
}

/// Whether results differ by rounding at most: both sum in float, in orders of their own.
bool agree(const xt::xarray<float>& ours, const float* theirs) {
    float largest = 0;
    float difference = 0;
    for (std::size_t i = 0; i < ours.size(); ++i) {
        largest = std::max(largest, std::abs(ours.data()[i]));
        difference = std::max(difference, std::abs(ours.data()[i] - theirs[i]));
    }
    return difference <= 1e-3F * largest;
}

/// Whether results agree.
bool run_own_networks() {
    std::printf("%-42s %12s %12s %12s %10s\n", "network", "us, planning", "us, run",
                "us, at::einsum", "theirs/ours");
    // Theirs finds its order within the call; ours has done so when the plan was made.
    double logarithms = 0;
    std::size_t count = 0;
    for (const network& n : networks()) {
        std::vector<xt::xarray<float>> in;
        std::vector<bench::network_operand> theirs;
        for (const shape& s : n.shapes) {
            in.push_back(bench::numbers(s, -0.4F, 0.5F));
        }
        for (auto& operand : in) {
            theirs.push_back({operand.data(), {operand.shape().begin(), operand.shape().end()}});
        }
        const auto plan = xeinsum::make_plan<float>(n.equation, n.shapes);
        xt::xarray<float> out = xt::xarray<float>::from_shape(
            shape(plan.output_extents().begin(), plan.output_extents().end()));
        auto memory = plan.make_workspace();
        const auto peer = bench::network_peer(n.equation, theirs);
        plan.run(out, memory, in);
        if (!agree(out, peer())) {
            std::printf("%-42s results differ\n", n.name.c_str());
            return false;
        }
        const auto found = bench::time_interleaved(
            {[&] { static_cast<void>(xeinsum::make_plan<float>(n.equation, n.shapes)); },
             [&] { plan.run(out, memory, in); }, [&] { static_cast<void>(peer()); }},
            7);
        logarithms += std::log(found.ratio(2, 1));
        ++count;
        std::printf("%-42s %12.1f %12.1f %12.1f %10.2f\n", n.name.c_str(), found.median(0) * 1e6,
                    found.median(1) * 1e6, found.median(2) * 1e6, found.ratio(2, 1));
        std::fflush(stdout);
    }
    std::printf("geometric mean %.2f\n", std::exp(logarithms / static_cast<double>(count)));
    return true;
}

constexpr const char* usage =
    "usage: bench_networks [FILE]... [--seconds S] [--gib G] [--run S]\n"
    "  FILE       networks that others published, see bench/README.md; without any: our own\n"
    "  --seconds  for a search, 1 without it\n"
    "  --gib      that no intermediate may exceed, 1 without it\n"
    "  --run      the longest predicted run, in seconds, that is timed, 10 without it\n";

}  // namespace

int main(int argc, char** argv) {
    bench::network_limits limits;
    std::vector<std::string> files;
    for (int i = 1; i < argc; ++i) {
        const std::string argument = argv[i];
        double* const number = argument == "--seconds" ? &limits.search_seconds
                               : argument == "--gib"   ? &limits.intermediate_gib
                               : argument == "--run"   ? &limits.longest_run_seconds
                                                       : nullptr;
        if (number == nullptr && argument.rfind("--", 0) != 0) {
            files.push_back(argument);
            continue;
        }
        char* end = nullptr;
        if (number != nullptr && i + 1 < argc) {
            *number = std::strtod(argv[++i], &end);
        }
        if (end == nullptr || *end != '\0' || end == argv[i] || !(*number > 0 && *number < 1e6)) {
            std::fputs(usage, stderr);
            return 2;
        }
    }
    if (files.empty()) {
        if (!bench::has_network_peer()) {
            std::fputs("our own networks stand beside at::einsum: libtorch-dev is not found\n",
                       stderr);
            return 0;
        }
        return run_own_networks() ? 0 : 1;
    }
    for (const std::string& file : files) {
        try {
            if (bench::run_network_file(file, limits)) {
                continue;
            }
            std::fprintf(stderr, "%s: no networks, or results differ\n", file.c_str());
        } catch (const std::exception& e) {
            std::fprintf(stderr, "%s: %s\n", file.c_str(), e.what());
        }
        return 1;
    }
}
