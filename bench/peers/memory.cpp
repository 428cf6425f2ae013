// What memory allows: the time to copy, or to stream a + 3 b into c, as many bytes as the task's
// operands and output have. No evaluation of "ij->ji" on data out of cache is faster by much.
#include "peer.hpp"

#include <cstring>
#include <memory>

namespace bench {
namespace {

class copy : public peer_of<copy> {
public:
    [[nodiscard]] std::string name() const override { return "copy"; }

    template <class T>
    [[nodiscard]] work<T> make(const task<T>& t, const matrix_product<T>*) const {
        const std::size_t bytes = static_cast<std::size_t>(t.bytes()) / 2;
        const shape half{bytes / sizeof(T) + 1};
        const auto from = std::make_shared<placed_array<T>>(half, placement::at_cache_line);
        const auto to = std::make_shared<placed_array<T>>(half, placement::at_cache_line);
        return {repeat([=] { std::memcpy(to->data(), from->data(), bytes); }), place::nowhere};
    }
};

class triad : public peer_of<triad> {
public:
    [[nodiscard]] std::string name() const override { return "triad"; }

    template <class T>
    [[nodiscard]] work<T> make(const task<T>& t, const matrix_product<T>*) const {
        const std::size_t count = static_cast<std::size_t>(t.bytes()) / (3 * sizeof(T)) + 1;
        const auto a = std::make_shared<placed_array<T>>(shape{count}, placement::at_cache_line);
        const auto b = std::make_shared<placed_array<T>>(shape{count}, placement::at_cache_line);
        const auto c = std::make_shared<placed_array<T>>(shape{count}, placement::at_cache_line);
        const auto once = [=] {
            const T* pa = a->data();
            const T* pb = b->data();
            T* pc = c->data();
            for (std::size_t i = 0; i < count; ++i) {
                pc[i] = pa[i] + 3 * pb[i];
            }
        };
        return {repeat(once), place::nowhere};
    }
};

const add_peer<copy> added_copy;
const add_peer<triad> added_triad;

}  // namespace
}  // namespace bench
