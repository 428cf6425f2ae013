// Which kernels suit the processor at hand: those for AVX-512 only where the operating system saves
// its registers, too.
#include <xeinsum/compiled_views.hpp>
#include <xeinsum/dispatch/kernels.hpp>
#include <xeinsum/tune/core.hpp>

#include <algorithm>
#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace xeinsum {
namespace dispatch {
namespace {

/// How many levels the library has.
constexpr std::size_t level_count = XEINSUM_LEVELS;

#if defined(__x86_64__)
constexpr std::array<std::string_view, 3> all_names{"sse2", "avx2", "avx512"};

level best_level() noexcept {
    // These ask the operating system as well.
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) {
        return level::baseline;
    }
    const bool wide = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
                      __builtin_cpu_supports("avx512cd");
    return wide ? level::avx512 : level::avx2;
}

/// By the instructions that tell microarchitectures apart: see tune/core.hpp.
tune::core core_at_hand() noexcept {
    unsigned a = 0;
    unsigned b = 0;
    unsigned c = 0;
    unsigned d = 0;
    constexpr unsigned sse4a = 1U << 6U;
    constexpr unsigned avx_vnni = 1U << 4U;
    const bool amd = __get_cpuid(0x80000001U, &a, &b, &c, &d) != 0 && (c & sse4a) != 0;
    const bool vnni = __get_cpuid_count(7, 1, &a, &b, &c, &d) != 0 && (a & avx_vnni) != 0;
    if (amd) {
        return vnni ? tune::zen5::measured : tune::zen4::measured;
    }
    return vnni ? tune::sapphire_rapids::measured : tune::skylake_avx512::measured;
}
#else
#if defined(__aarch64__)
constexpr std::array<std::string_view, 1> all_names{"neon"};
#else
constexpr std::array<std::string_view, 1> all_names{"generic"};
#endif

level best_level() noexcept {
    return level::baseline;
}
tune::core core_at_hand() noexcept {
    return {};
}
#endif

/// By level.
constexpr auto names = std::span(all_names).first<level_count>();

/// The best level that processor, library and environment allow.
level choose() {
    const std::size_t best = std::min(static_cast<std::size_t>(best_level()), names.size() - 1);
    const char* const wanted = std::getenv("XEINSUM_CPU");
    if (wanted == nullptr || *wanted == '\0') {
        return static_cast<level>(best);
    }
    const auto found = std::find(names.begin(), names.end(), std::string_view(wanted));
    if (found == names.end()) {
        std::string known;
        for (const std::string_view name : names) {
            known.append(known.empty() ? "" : ", ").append(name);
        }
        constexpr auto code = error_code::unknown_cpu;
        refuse_call(code, 0,
                    "xeinsum: " + std::string(describe(code)) + ": XEINSUM_CPU=" + wanted +
                        ", but known are " + known);
    }
    return static_cast<level>(std::min(best, static_cast<std::size_t>(found - names.begin())));
}

level chosen_level() {
    static const level chosen = [] {
        const level l = choose();
        if (l == level::avx512) {
            tune::detected::measured = core_at_hand();
        }
        return l;
    }();
    return chosen;
}

template <class T>
kernels<T> kernels_at([[maybe_unused]] level at) {
    if constexpr (level_count > 2) {
        if (at == level::avx512) {
            kernels<T> k = kernels_of<T, level::avx512>();
            k.on.tuned = tune::detected::measured;
            return k;
        }
    }
    if constexpr (level_count > 1) {
        if (at == level::avx2) {
            return kernels_of<T, level::avx2>();
        }
    }
    return kernels_of<T, level::baseline>();
}

}  // namespace

template <class T>
const kernels<T>& chosen() {
    static const kernels<T> of_cpu = kernels_at<T>(chosen_level());
    return of_cpu;
}
template const kernels<float>& chosen<float>();
template const kernels<double>& chosen<double>();
template const kernels<std::complex<float>>& chosen<std::complex<float>>();
template const kernels<std::complex<double>>& chosen<std::complex<double>>();
template const kernels<std::int32_t>& chosen<std::int32_t>();
template const kernels<std::int64_t>& chosen<std::int64_t>();

}  // namespace dispatch

// Until it is known; kernels that read it run only then.
tune::core tune::detected::measured{};

std::string_view cpu() {
    return dispatch::names[static_cast<std::size_t>(dispatch::chosen_level())];
}

}  // namespace xeinsum
