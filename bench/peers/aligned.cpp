// xeinsum on arrays that begin at cache lines: what "ij,jk->ik" would take if its arrays were
// allocated with an allocator that aligns them.
#include "peer.hpp"
#include "planned.hpp"

#include <memory>

namespace bench {
namespace {

class aligned : public peer_of<aligned> {
public:
    [[nodiscard]] std::string name() const override { return "aligned"; }

    template <class T>
    [[nodiscard]] work<T> make(const task<T>& t, const matrix_product<T>*) const {
        const auto own = std::make_shared<task<T>>(t, placement::at_cache_line);
        const auto run = plan_of<T>(*own);
        return {repeat([own, run] { run(); }), place::output,
                [own] { return static_cast<const T*>(own->output().data()); }};
    }
};

const add_peer<aligned> added;

}  // namespace
}  // namespace bench
