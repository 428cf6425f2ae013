// What a case says, label by label: "ij,jk->ik" has terms ij and jk, output ik and sums over j.
#pragma once

#include "cases.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace bench {

using extent_map = std::map<char, std::size_t>;

/// The extents of some labels, in their order.
[[nodiscard]] shape shape_of(const std::string& labels, const extent_map& extents);

/// "ij" and "jk" of "ij,jk->ik". Throws std::invalid_argument where there is no output.
[[nodiscard]] std::vector<std::string> operand_terms(const std::string& equation);

class case_terms {
public:
    /// Throws std::invalid_argument where shapes and equation do not fit.
    explicit case_terms(const bench_case& c);

    [[nodiscard]] const std::string& equation() const noexcept { return equation_; }
    [[nodiscard]] const std::vector<std::string>& terms() const noexcept { return terms_; }
    [[nodiscard]] const std::string& output_term() const noexcept { return output_term_; }
    /// The labels that the output has not, in the order in which they occur.
    [[nodiscard]] const std::string& summed() const noexcept { return summed_; }
    [[nodiscard]] const extent_map& extents() const noexcept { return extents_; }
    [[nodiscard]] std::size_t extent(char label) const { return extents_.at(label); }
    /// The product of the extents of some labels.
    [[nodiscard]] std::size_t elements(const std::string& labels) const;
    [[nodiscard]] shape shape_of(const std::string& labels) const {
        return bench::shape_of(labels, extents_);
    }

    /// The product of all extents: the terms that are formed.
    [[nodiscard]] double products() const;
    /// For each term the multiplications between operands, and one addition if anything is summed.
    [[nodiscard]] double flops() const;
    /// Bytes of the elements that the equation reads and writes, each once.
    [[nodiscard]] double bytes() const;
    /// Whether plain loops and xtensor expressions are left out: the product of the operands, which
    /// nobody stores, would be larger than 64 MiB.
    [[nodiscard]] bool is_long() const;

private:
    std::string equation_;
    std::size_t element_bytes_;
    std::vector<std::string> terms_{};
    std::string output_term_{};
    std::string summed_{};
    extent_map extents_{};
};

}  // namespace bench
