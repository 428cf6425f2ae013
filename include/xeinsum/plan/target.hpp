// What predictions rest on: seconds of "ij,jk->ik" at 512 follow from the machine, and from how the
// kernels cut the product.
#pragma once

#include <xeinsum/plan/machine.hpp>
#include <xeinsum/plan/options.hpp>
#include <xeinsum/tune/core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace xeinsum::planning {

/// What the planner knows of the element type and of the kernels that will run it.
struct target {
    machine core{};
    bool is_usual = true;  ///< core is machine{}, of which some outcomes are known beforehand
    std::size_t element_bytes = 4;
    std::size_t lanes = 1;        ///< elements in one vector register
    std::size_t least_lanes = 1;  ///< in the narrowest one that small products use
    bool fused_only = false;      ///< the type can only take part in one pass without intermediates
    std::uint32_t threads = 1;
    double flop_weight = 1.0;  ///< a multiply-add of the type, in those of a real number
    // Blocking of the matrix product: micro-tile and cache blocks, in elements.
    std::size_t mr = 1;
    std::size_t nr = 1;
    std::size_t mc = 1;
    std::size_t nc = 1;
    std::size_t kc = 1;
    tune::core tuned{};  ///< of the cores that the kernels are compiled for

    /// Whether numbers are real, and kernels have vectors of them.
    [[nodiscard]] constexpr bool has_real_vectors() const noexcept {
        return lanes > 1 && flop_weight <= 1;
    }

    constexpr void use(const machine& m) noexcept {
        core = m;
        is_usual = m == machine{};
    }
};

/// More threads than share the memory of one machine.
inline constexpr unsigned most_threads = 1024;

/// The same on the machine and the threads that a caller asks for.
[[nodiscard]] constexpr target adapted(target on, const options& wanted) noexcept {
    on.threads = std::min(wanted.threads, most_threads);
    if (wanted.machine != nullptr) {
        on.use(*wanted.machine);
    }
    return on;
}

}  // namespace xeinsum::planning
