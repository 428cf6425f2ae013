// The threads of the build: with XEINSUM_USE_OPENMP or XEINSUM_USE_TBB defined, the halves of
// "ij,jk->ik" run at the same time; with neither, one after the other.
#pragma once

#include <xeinsum/plan/parallel_for.hpp>

#include <cstddef>
#include <string_view>

#if defined(XEINSUM_USE_TBB) && defined(XEINSUM_USE_OPENMP)
#error "XEINSUM_USE_OPENMP and XEINSUM_USE_TBB exclude each other"
#elif defined(XEINSUM_USE_TBB)
#include <oneapi/tbb/parallel_for.h>
#elif defined(XEINSUM_USE_OPENMP) && !defined(_OPENMP)
#error "XEINSUM_USE_OPENMP needs the compiler's OpenMP flag, such as -fopenmp"
#endif

namespace xeinsum::lowerings {

// Named after the backend, so that translation units that differ in it do not share functions.
#if defined(XEINSUM_USE_TBB)
inline namespace on_tbb {

/// Tells functions apart that differ in the backend.
struct backend {};

inline constexpr bool has_threads = true;

[[nodiscard]] constexpr std::string_view thread_backend() noexcept {
    return "tbb";
}

inline void call_pieces(std::size_t count, const pieces_of_work& body) {
    oneapi::tbb::parallel_for(
        std::size_t{0}, count, [&](std::size_t i) { body(i); }, oneapi::tbb::static_partitioner());
}

}  // namespace on_tbb
#elif defined(XEINSUM_USE_OPENMP)
inline namespace on_openmp {

/// Tells functions apart that differ in the backend.
struct backend {};

inline constexpr bool has_threads = true;

[[nodiscard]] constexpr std::string_view thread_backend() noexcept {
    return "openmp";
}

inline void call_pieces(std::size_t count, const pieces_of_work& body) {
#pragma omp parallel for schedule(static, 1) num_threads(static_cast <int>(count))
    for (std::size_t i = 0; i < count; ++i) {
        body(i);
    }
}

}  // namespace on_openmp
#else
inline namespace on_one_thread {

/// Tells functions apart that differ in the backend.
struct backend {};

inline constexpr bool has_threads = false;

[[nodiscard]] constexpr std::string_view thread_backend() noexcept {
    return "none";
}

inline void call_pieces(std::size_t count, const pieces_of_work& body) {
    for (std::size_t i = 0; i < count; ++i) {
        body(i);
    }
}

}  // namespace on_one_thread
#endif

/// What runs the pieces of this file's calls: the user's function if there is one, or what the file
/// is compiled with. Steps may run in a library that is compiled without threads.
[[nodiscard]] inline parallel_for of_this_file(const parallel_for& users) noexcept {
    if constexpr (has_threads) {
        static constexpr auto backend = [](std::size_t count, const pieces_of_work& body) {
            call_pieces(count, body);
        };
        return users ? users : parallel_for(backend);
    } else {
        return users;
    }
}

/// Whether there is anything that could run pieces at the same time.
[[nodiscard]] inline bool runs_in_parallel(const parallel_for& users) noexcept {
    return has_threads || static_cast<bool>(users);
}

/// body(0) ... body(count - 1), by the user's function if there is one.
inline void run_parallel(const parallel_for& users, std::size_t count, const pieces_of_work& body) {
    if (users && count > 1) {
        users(count, body);
    } else if (count > 1) {
        call_pieces(count, body);
    } else {
        body(0);
    }
}

}  // namespace xeinsum::lowerings
