// All the terms of a sum, the slow and obvious way: for "ij,jk->ik" every i, j, k with the three
// index lists that belong to them.
#pragma once

#include <xeinsum/equation/equation.hpp>
#include <xeinsum/equation/error.hpp>
#include <xeinsum/equation/network.hpp>
#include <xeinsum/equation/parser.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace xeinsum::reference {

using shape = std::vector<std::size_t>;

/// The terms of one evaluation of an equation that lies in Storage.
template <class Storage>
class basic_walk {
public:
    /// Throws einsum_error where the equation does not fit the shapes.
    basic_walk(const basic_equation<Storage>& eq, std::vector<shape> shapes)
        : shapes_(std::move(shapes)) {
        std::vector<std::size_t> ranks;
        for (const shape& s : shapes_) {
            ranks.push_back(s.size());
        }
        const auto net = resolve<Storage>(eq, ranks);
        if (!net.error.ok()) {
            parsing::raise(net.error, eq);
        }
        extents_.assign(net.label_count, 1);
        for (std::size_t i = 0; i < shapes_.size(); ++i) {
            const auto axes = net.view().operand(i);
            terms_.emplace_back(axes.begin(), axes.end());
            for (std::size_t a = 0; a < axes.size(); ++a) {
                join(eq, net.view(), i, a);
            }
        }
        output_.assign(net.output.begin(), net.output.end());
    }

    [[nodiscard]] shape result_shape() const {
        shape s;
        for (const label l : output_) {
            s.push_back(extents_[static_cast<std::size_t>(l)]);
        }
        return s;
    }

    /// Products that each element of the result adds up.
    [[nodiscard]] double terms_per_element() const {
        double terms = 1;
        std::vector<bool> kept(extents_.size(), false);
        for (const label l : output_) {
            kept[static_cast<std::size_t>(l)] = true;
        }
        for (std::size_t l = 0; l < extents_.size(); ++l) {
            terms *= kept[l] ? 1.0 : static_cast<double>(extents_[l]);
        }
        return terms;
    }

    /// Calls visit(result index, list of operand indices) for every term.
    template <class Visit>
    void run(Visit visit) const {
        for (const std::size_t e : extents_) {
            if (e == 0) {
                return;
            }
        }
        shape at(extents_.size(), 0);
        shape result(output_.size());
        std::vector<shape> operands;
        for (const auto& term : terms_) {
            operands.emplace_back(term.size());
        }
        do {
            for (std::size_t a = 0; a < output_.size(); ++a) {
                result[a] = at[static_cast<std::size_t>(output_[a])];
            }
            for (std::size_t i = 0; i < terms_.size(); ++i) {
                for (std::size_t a = 0; a < terms_[i].size(); ++a) {
                    // An extent of 1 broadcasts: its one element stands for all.
                    operands[i][a] =
                        shapes_[i][a] == 1 ? 0 : at[static_cast<std::size_t>(terms_[i][a])];
                }
            }
            visit(result, operands);
        } while (next(at));
    }

private:
    bool next(shape& at) const {
        for (std::size_t l = at.size(); l-- > 0;) {
            if (++at[l] < extents_[l]) {
                return true;
            }
            at[l] = 0;
        }
        return false;
    }

    /// Takes the extent of one axis into account.
    void join(const basic_equation<Storage>& eq, const network_view& net, std::size_t operand,
              std::size_t axis) {
        const label l = net.operand(operand)[axis];
        const std::size_t extent = shapes_[operand][axis];
        problem p;
        p.second = {operand, axis, static_cast<std::int64_t>(extent)};
        for (std::size_t before = 0; before < axis; ++before) {
            if (net.operand(operand)[before] == l && shapes_[operand][before] != extent) {
                p.code = error_code::diagonal_mismatch;
                p.first = {operand, before, static_cast<std::int64_t>(shapes_[operand][before])};
                fail(p, eq);
            }
        }
        std::size_t& known = extents_[static_cast<std::size_t>(l)];
        if (extent != 1 && known != 1 && extent != known) {
            p.code = static_cast<std::size_t>(l) < net.named_labels ? error_code::extent_mismatch
                                                                    : error_code::ellipsis_mismatch;
            p.first = place_of(net, l, known);
            fail(p, eq);
        }
        known = extent == 1 ? known : extent;
    }

    [[nodiscard]] problem::axis_place place_of(const network_view& net, label l,
                                               std::size_t extent) const {
        for (std::size_t i = 0; i < shapes_.size(); ++i) {
            for (std::size_t a = 0; a < shapes_[i].size(); ++a) {
                if (net.operand(i)[a] == l && shapes_[i][a] == extent) {
                    return {i, a, static_cast<std::int64_t>(extent)};
                }
            }
        }
        return {};
    }

    [[noreturn]] void fail(problem p, const basic_equation<Storage>& eq) const {
        locate(p, eq, shapes_[p.second.array].size());
        parsing::raise(p, eq);
    }

    std::vector<shape> shapes_;
    shape extents_{};
    std::vector<std::vector<label>> terms_{};
    std::vector<label> output_{};
};

using walk = basic_walk<heap_storage>;

}  // namespace xeinsum::reference
