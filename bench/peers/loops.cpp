// Plain nested loops: "ij,jk->ik" as everybody writes it first.
#include "loop_nest.hpp"
#include "peer.hpp"

namespace bench {
namespace {

class loops : public peer_of<loops> {
public:
    [[nodiscard]] std::string name() const override { return "loops"; }

    template <class T>
    [[nodiscard]] work<T> make(const task<T>& t, const matrix_product<T>*) const {
        if (t.is_long()) {
            return {};
        }
        return {repeat([nest = loop_nest<T>(t), in = t.pointers(), out = t.output().data()] {
            nest.run(in, out);
        })};
    }
};

const add_peer<loops> added;

}  // namespace
}  // namespace bench
