// torch::einsum("ij,jk->ik", {a, b}) on the same memory, its result made contiguous.
#include "peer.hpp"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace bench {
namespace {

template <class T>
at::Tensor tensor_of(const placed_array<T>& array) {
    const std::vector<std::int64_t> extents(array.extents().begin(), array.extents().end());
    return at::from_blob(array.data(), extents,
                         at::TensorOptions().dtype(c10::CppTypeToScalarType<T>::value));
}

class torch : public peer_of<torch> {
public:
    [[nodiscard]] std::string name() const override { return "torch"; }

    template <class T>
    [[nodiscard]] work<T> make(const task<T>& t, const matrix_product<T>*) const {
        at::set_num_threads(1);
        std::vector<at::Tensor> operands;
        for (const auto& operand : t.operands()) {
            operands.push_back(tensor_of(operand));
        }
        const auto result = std::make_shared<at::Tensor>();
        const auto once = [=, &t] { *result = at::einsum(t.equation(), operands).contiguous(); };
        return {repeat(once), place::output, [result] { return result->template data_ptr<T>(); }};
    }
};

const add_peer<torch> added;

}  // namespace
}  // namespace bench
