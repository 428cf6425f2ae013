// A case with its memory: "ij,jk->ik" of {2, 3} and {3, 4} has two filled operands and an output.
#pragma once

#include "case_terms.hpp"
#include "cases.hpp"
#include "placed_array.hpp"

#include <vector>

namespace bench {

template <class T>
class task : public case_terms {
public:
    explicit task(const bench_case& c);
    /// The same operands in arrays that lie elsewhere.
    task(const task& other, placement where);

    [[nodiscard]] const std::vector<placed_array<T>>& operands() const noexcept {
        return operands_;
    }
    [[nodiscard]] std::vector<const T*> pointers() const;
    [[nodiscard]] const placed_array<T>& output() const noexcept { return output_; }
    /// What its plans rest on unless they are asked otherwise.
    [[nodiscard]] const xeinsum::machine* machine() const noexcept { return machine_; }

private:
    void fill();

    std::vector<placed_array<T>> operands_{};
    placed_array<T> output_;
    const xeinsum::machine* machine_;
};

extern template class task<float>;
extern template class task<double>;

}  // namespace bench
