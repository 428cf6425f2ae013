// What ranks say to each other: rank 0 sends the number of a part, the others its sum.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace mpi_network {

/// Sent in place of a part where there is none left.
inline constexpr std::int64_t no_part = -1;

namespace detail {
enum tag : int { part_tag, number_tag, sum_tag };

inline int message_size(std::size_t elements) {
    if (elements > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
        throw std::length_error("a result of more than 2^31 elements is no message");
    }
    return static_cast<int>(elements);
}
}  // namespace detail

/// Text of rank 0 on all ranks.
inline std::string broadcast(std::string text) {
    auto size = static_cast<std::uint64_t>(text.size());
    MPI_Bcast(&size, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    text.resize(size);
    MPI_Bcast(text.data(), detail::message_size(size), MPI_CHAR, 0, MPI_COMM_WORLD);
    return text;
}

inline void send_part(std::int64_t part, int rank) {
    MPI_Send(&part, 1, MPI_INT64_T, rank, detail::part_tag, MPI_COMM_WORLD);
}
[[nodiscard]] inline std::int64_t receive_part() {
    std::int64_t part = no_part;
    MPI_Recv(&part, 1, MPI_INT64_T, 0, detail::part_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return part;
}

inline void send_result(std::int64_t part, const std::vector<double>& sum) {
    MPI_Send(&part, 1, MPI_INT64_T, 0, detail::number_tag, MPI_COMM_WORLD);
    MPI_Send(sum.data(), detail::message_size(sum.size()), MPI_DOUBLE, 0, detail::sum_tag,
             MPI_COMM_WORLD);
}
/// A part and its sum of so many elements, if one has come, and the rank that sent it.
[[nodiscard]] inline std::optional<std::pair<std::int64_t, std::vector<double>>> receive_result(
    std::size_t elements, int& rank) {
    int there = 0;
    MPI_Status from;
    MPI_Iprobe(MPI_ANY_SOURCE, detail::number_tag, MPI_COMM_WORLD, &there, &from);
    if (there == 0) {
        return std::nullopt;
    }
    rank = from.MPI_SOURCE;
    std::pair<std::int64_t, std::vector<double>> result{0, std::vector<double>(elements)};
    MPI_Recv(&result.first, 1, MPI_INT64_T, rank, detail::number_tag, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    MPI_Recv(result.second.data(), detail::message_size(elements), MPI_DOUBLE, rank,
             detail::sum_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return result;
}

}  // namespace mpi_network
