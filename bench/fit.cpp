// Least squares in the logarithms of figures: "ij,jk->ik" that takes twice the predicted time says
// as much as one that takes half.
#include "fit.hpp"

#include "machine_file.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace bench {

namespace {

using xeinsum::machine;
using matrix = std::vector<std::vector<double>>;

// In logarithms: how far predictions usually are from measured times, and figures from defaults.
constexpr double usual_error = 0.2;
constexpr double usual_change = 1;
/// A figure is determined where its uncertainty falls below this part of usual_change.
constexpr double determined = 0.4;

/// The inverse of a symmetric positive definite matrix, by Gauss and Jordan's elimination.
matrix inverse(matrix a) {
    const std::size_t n = a.size();
    matrix inv(n, std::vector<double>(n, 0));
    for (std::size_t i = 0; i < n; ++i) {
        inv[i][i] = 1;
    }
    for (std::size_t p = 0; p < n; ++p) {
        const double pivot = a[p][p];
        for (std::size_t j = 0; j < n; ++j) {
            a[p][j] /= pivot;
            inv[p][j] /= pivot;
        }
        for (std::size_t i = 0; i < n; ++i) {
            const double factor = i == p ? 0 : a[i][p];
            for (std::size_t j = 0; j < n && factor != 0; ++j) {
                a[i][j] -= factor * a[p][j];
                inv[i][j] -= factor * inv[p][j];
            }
        }
    }
    return inv;
}

class fitter {
public:
    fitter(const machine& start, std::vector<figure> wanted,
           const std::vector<observation>& observed)
        : start_(start), wanted_(std::move(wanted)), observed_(observed) {}

    /// The logarithms of the factors by which figures change.
    [[nodiscard]] std::vector<double> run() {
        std::vector<double> at(wanted_.size(), 0);
        double damping = 1e-2;
        double value = objective(at);
        constexpr int steps = 60;
        for (int s = 0; s < steps && damping < 1e6; ++s) {
            std::vector<double> gradient;
            matrix normal = normal_equations(at, gradient);
            for (std::size_t i = 0; i < at.size(); ++i) {
                normal[i][i] *= 1 + damping;
            }
            const matrix inv = inverse(normal);
            std::vector<double> next = at;
            for (std::size_t i = 0; i < at.size(); ++i) {
                for (std::size_t j = 0; j < at.size(); ++j) {
                    next[i] -= inv[i][j] * gradient[j];
                }
            }
            const double reached = objective(next);
            if (reached < value) {
                at = next;
                value = reached;
                damping /= 4;
            } else {
                damping *= 4;
            }
        }
        return at;
    }

    /// How uncertain each figure is, as a part of what it was before.
    [[nodiscard]] std::vector<double> uncertainties(const std::vector<double>& at) const {
        std::vector<double> gradient;
        const matrix inv = inverse(normal_equations(at, gradient));
        std::vector<double> all;
        for (std::size_t i = 0; i < at.size(); ++i) {
            all.push_back(std::sqrt(inv[i][i]) * usual_error / usual_change);
        }
        return all;
    }

    [[nodiscard]] machine machine_at(const std::vector<double>& at) const {
        machine m = start_;
        for (std::size_t i = 0; i < at.size(); ++i) {
            wanted_[i].set(m, wanted_[i].of(start_) * std::exp(at[i]));
        }
        return m;
    }

private:
    static constexpr double prior = (usual_error / usual_change) * (usual_error / usual_change);

    /// Zero where the machine would run other code.
    [[nodiscard]] std::vector<double> residuals(const std::vector<double>& at) const {
        const machine m = machine_at(at);
        std::vector<double> all;
        for (const observation& o : observed_) {
            const double seconds = o.predict(m);
            all.push_back(seconds > 0 ? std::log(seconds / o.seconds) : 0);
        }
        return all;
    }
    [[nodiscard]] double objective(const std::vector<double>& at) const {
        double sum = 0;
        for (const double r : residuals(at)) {
            const double a = std::abs(r);
            sum += a <= usual_error ? a * a : usual_error * (2 * a - usual_error);
        }
        for (const double x : at) {
            sum += prior * x * x;
        }
        return sum;
    }

    [[nodiscard]] matrix normal_equations(const std::vector<double>& at,
                                          std::vector<double>& gradient) const {
        constexpr double step = 0.02;
        const std::vector<double> here = residuals(at);
        matrix slopes;
        for (std::size_t i = 0; i < at.size(); ++i) {
            std::vector<double> moved = at;
            moved[i] = at[i] + step;
            std::vector<double> slope = residuals(moved);
            moved[i] = at[i] - step;
            const std::vector<double> below = residuals(moved);
            for (std::size_t o = 0; o < slope.size(); ++o) {
                slope[o] = (slope[o] - below[o]) / (2 * step);
            }
            slopes.push_back(slope);
        }
        matrix normal(at.size(), std::vector<double>(at.size(), 0));
        gradient.assign(at.size(), 0);
        for (std::size_t i = 0; i < at.size(); ++i) {
            normal[i][i] = prior;
            gradient[i] = prior * at[i];
            for (std::size_t o = 0; o < here.size(); ++o) {
                const double weight =
                    std::min(1.0, usual_error / std::max(std::abs(here[o]), 1e-9));
                gradient[i] += weight * slopes[i][o] * here[o];
                for (std::size_t j = 0; j < at.size(); ++j) {
                    normal[i][j] += weight * slopes[i][o] * slopes[j][o];
                }
            }
        }
        return normal;
    }

    machine start_;
    std::vector<figure> wanted_;
    const std::vector<observation>& observed_;
};

}  // namespace

fitted_machine fit(const machine& start, const std::vector<std::string_view>& names,
                   const std::vector<observation>& observed) {
    std::vector<figure> wanted;
    for (const figure& f : figures()) {
        if (std::find(names.begin(), names.end(), f.name) != names.end()) {
            wanted.push_back(f);
        }
    }
    fitted_machine found;
    while (true) {
        fitter f(start, wanted, observed);
        const std::vector<double> at = f.run();
        const std::vector<double> uncertain = f.uncertainties(at);
        std::vector<figure> left;
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            if (uncertain[i] < determined) {
                left.push_back(wanted[i]);
            } else {
                found.defaults.push_back(wanted[i].name);
            }
        }
        if (left.size() == wanted.size()) {
            found.machine = f.machine_at(at);
            return found;
        }
        wanted = left;
    }
}

std::vector<double> errors(const machine& m, const std::vector<observation>& observed) {
    std::vector<double> all;
    for (const observation& o : observed) {
        const double seconds = o.predict(m);
        if (seconds > 0) {
            all.push_back(std::abs(std::log(seconds / o.seconds)));
        }
    }
    return all;
}

}  // namespace bench
