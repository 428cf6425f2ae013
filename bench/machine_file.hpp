// The figures of a machine by their names, and as a header: bench_calibrate writes one that tells
// what "ij,jk->ik" costs here, and bench_peers reads it.
#pragma once

#include <xeinsum/plan/machine.hpp>

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace bench {

/// One member of xeinsum::machine.
struct figure {
    std::string_view name;
    std::variant<double xeinsum::machine::*, std::size_t xeinsum::machine::*> member;

    [[nodiscard]] double of(const xeinsum::machine& m) const;
    void set(xeinsum::machine& m, double value) const;
};

/// All of them, in their order.
[[nodiscard]] const std::vector<figure>& figures();

/// A header that defines xeinsum::measured_machine. Names of figures that were not measured and
/// stand at their defaults are told.
[[nodiscard]] std::string header_of(const xeinsum::machine& m,
                                    const std::vector<std::string_view>& defaults);

/// Reads the figures of such a header. Throws std::runtime_error where it is none.
[[nodiscard]] xeinsum::machine read_machine(const std::string& file);

}  // namespace bench
