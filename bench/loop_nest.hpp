// Plain nested loops for any equation: for "ij,jk->ik" a loop over i, one over k and one over j.
#pragma once

#include "case_terms.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace bench {

/// The loops that people write by hand: labels of the output outside, in its order, the summed ones
/// inside; one pointer for each operand, no blocking, no intrinsics. At most three operands.
template <class T>
class loop_nest {
public:
    loop_nest(const std::vector<std::string>& terms, const std::string& output,
              const extent_map& extents);
    explicit loop_nest(const case_terms& c) : loop_nest(c.terms(), c.output_term(), c.extents()) {}

    void run(const std::vector<const T*>& operands, T* out) const;

private:
    static constexpr std::size_t most_operands = 3;

    struct loop {
        std::size_t extent = 1;
        std::array<std::size_t, most_operands> strides{};
        std::size_t out_stride = 0;
    };
    template <std::size_t N>
    void nest(std::size_t level, std::array<const T*, N> from, T* out) const;
    template <std::size_t N>
    void start(const std::vector<const T*>& operands, T* out) const;

    std::vector<loop> loops_{};
    std::size_t operand_count_ = 0;
    std::size_t out_elements_ = 1;
};

extern template class loop_nest<float>;
extern template class loop_nest<double>;

}  // namespace bench
