// Contracts a tensor network on many machines: "ab,bc,cd->ad" whose plan cuts b into slices, each
// rank adding up some of them. The result has the same bits for any number of ranks.
#include "arguments.hpp"
#include "coordinator.hpp"
#include "messages.hpp"
#include "sliced_network.hpp"

#include "../support/network_file.hpp"

#include <xeinsum/testing.hpp>

#include <mpi.h>

#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using namespace mpi_network;

network_file::network read_network(const arguments& wanted) {
    std::ifstream file(wanted.file);
    if (!file) {
        throw std::runtime_error("cannot read " + wanted.file);
    }
    network_file::network found;
    while (network_file::read(file, found)) {
        if (wanted.name.empty() || found.name == wanted.name) {
            return found;
        }
    }
    throw std::runtime_error("no network '" + wanted.name + "' in " + wanted.file);
}

/// Computes parts until there is none left.
void work(sliced_network& task, const arguments& wanted, int rank) {
    std::int64_t done = 0;
    for (std::int64_t part = receive_part(); part != no_part; part = receive_part()) {
        if (rank == wanted.killed_rank && done++ == wanted.killed_after) {
            std::raise(SIGKILL);
        }
        send_result(part, task.sum(part));
    }
    // Rank 0 sends two parts ahead, so there is one more message.
    static_cast<void>(receive_part());
}

/// Whether it is right, as far as that is to be known.
bool print(const network_file::network& network, const sliced_network& task,
           const std::vector<double>& result, const arguments& wanted) {
    double sum = 0;
    for (const double value : result) {
        sum += value;
    }
    std::cout << network.name << ": " << task.slices() << " slices of " << std::setprecision(3)
              << task.flops_of_slice() << " flops, " << task.parts() << " parts\n"
              << "result: " << result.size() << " elements, the first " << std::hexfloat
              << result.front() << ", their sum " << sum << std::defaultfloat << '\n';
    if (!wanted.check) {
        return true;
    }
    std::vector<std::size_t> shape;
    const auto equation = equation_of(network);
    const auto operands = operands_of(network);
    const xt::xarray<double> expected = xeinsum::reference::einsum(equation, operands);
    xt::xarray<double> mine = xt::xarray<double>::from_shape(expected.shape());
    std::copy(result.begin(), result.end(), mine.begin());
    const auto checked = xeinsum::testing::check(mine, equation, operands);
    std::cout << (checked ? "as the reference has it" : checked.message()) << '\n';
    return static_cast<bool>(checked);
}

bool run(const arguments& wanted, int rank, int ranks) {
    // Every rank makes the operands. Only the first searches for an order of contraction.
    const network_file::network network = read_network(wanted);
    sliced_network task(
        network, broadcast(rank == 0 ? planned(network, wanted.memory_limit) : std::string()),
        wanted.slices_per_part);
    if (rank != 0) {
        work(task, wanted, rank);
        return true;
    }
    const auto start = std::chrono::steady_clock::now();
    const std::vector<double> result = coordinator(task, wanted, ranks).run();
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    std::cerr << "summed in " << taken.count() << " s by " << ranks << " ranks\n";
    return print(network, task, result, wanted);
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    // One thread of rank 0 computes, the other one alone speaks to the ranks.
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    int rank = 0;
    int ranks = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    bool right = false;
    try {
        right = run(read_arguments(argc, argv), rank, ranks);
    } catch (const std::exception& e) {
        std::cerr << "mpi_network: " << e.what() << '\n';
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    }
    MPI_Finalize();
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
