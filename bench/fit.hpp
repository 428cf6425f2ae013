// Figures of a machine from times: least squares over what "ij,jk->ik" and others are predicted to
// take and what they take.
#pragma once

#include <xeinsum/plan/machine.hpp>

#include <functional>
#include <string_view>
#include <vector>

namespace bench {

/// Something that was measured and can be predicted.
struct observation {
    double seconds = 0;
    /// Seconds predicted for a machine, 0 where the machine would run other code than was measured.
    std::function<double(const xeinsum::machine&)> predict{};
};

struct fitted_machine {
    xeinsum::machine machine{};
    std::vector<std::string_view> defaults{};  ///< wanted figures that no observation determines
};

/// Changes the named figures of start so that predictions come close to all observations: least
/// squares of the logarithms of predicted over measured seconds, by Gauss-Newton steps with
/// damping. Observations far off count less (Huber's weights); a figure that the observations
/// leave open stays as it is.
[[nodiscard]] fitted_machine fit(const xeinsum::machine& start,
                                 const std::vector<std::string_view>& names,
                                 const std::vector<observation>& observed);

/// |log(predicted / measured)| of each observation, those left out that the machine would run
/// otherwise.
[[nodiscard]] std::vector<double> errors(const xeinsum::machine& m,
                                         const std::vector<observation>& observed);

}  // namespace bench
