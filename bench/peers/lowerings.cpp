// xeinsum with a forced lowering: what "bdn,bn->bd" would take if the planner had chosen another.
#include "peer.hpp"
#include "planned.hpp"

#include <xeinsum/equation/error.hpp>
#include <xeinsum/plan/options.hpp>

namespace bench {
namespace {

class forced : public peer_of<forced> {
public:
    explicit forced(xeinsum::lowering l) : lowering_(l) {}

    [[nodiscard]] std::string name() const override {
        return std::string(xeinsum::name(lowering_));
    }
    [[nodiscard]] bool is_lowering() const override { return true; }

    template <class T>
    [[nodiscard]] work<T> make(const task<T>& t, const matrix_product<T>*) const {
        // Beyond this only the matrix product is reasonable, and others would take minutes.
        if (t.products() > 1e9) {
            return {};
        }
        try {
            const xeinsum::options wanted{.lowering = lowering_};
            work<T> w{repeat(plan_of<T>(t, wanted))};
            w.as_chosen = plan_alike<T>(t, {}, wanted);
            return w;
        } catch (const xeinsum::einsum_error&) {
            return {};
        }
    }

private:
    xeinsum::lowering lowering_;
};

const add_peer<forced> added_reduce(xeinsum::lowering::broadcast_multiply_reduce);
const add_peer<forced> added_gemm(xeinsum::lowering::gemm);
const add_peer<forced> added_depthwise(xeinsum::lowering::depthwise_convolution);

}  // namespace
}  // namespace bench
