// The xtensor expression: "ij,jk->ik" as xt::sum(a * b, {2}) of broadcast operands.
#include "expression.hpp"
#include "peer.hpp"

namespace bench {
namespace {

class xtensor : public peer_of<xtensor> {
public:
    [[nodiscard]] std::string name() const override { return "xtensor"; }

    template <class T>
    [[nodiscard]] work<T> make(const task<T>& t, const matrix_product<T>*) const {
        return t.is_long() ? work<T>{} : work<T>{repeat(expression_of(t))};
    }
};

const add_peer<xtensor> added;

}  // namespace
}  // namespace bench
