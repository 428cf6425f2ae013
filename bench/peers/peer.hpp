// What a library has to offer to stand beside xeinsum: it prepares a task, "ij,jk->ik" of some
// shapes, and hands out a call that computes it.
#pragma once

#include "matrix_product.hpp"
#include "task.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace bench {

/// Where a call leaves what it computed.
enum class place : unsigned char {
    output,    ///< in the order of the task's output; see work::result
    matrices,  ///< in matrix_product::c
    nowhere,   ///< it is not the task that was computed; nothing is checked
};

/// A prepared task. Empty where a peer cannot do it.
template <class T>
struct work {
    /// Computes so many times.
    std::function<void(std::size_t)> run{};
    bench::place place = place::output;
    /// The result's elements, if they are not those of the task's output.
    std::function<const T*()> result{};
    /// Whether it runs xeinsum's own plan once more.
    bool as_chosen = false;
};

/// Keeps the compiler from merging what it may otherwise see to be the same computation.
inline void clobber_memory() {
    asm volatile("" : : : "memory");
}

template <class F>
[[nodiscard]] std::function<void(std::size_t)> repeat(F once) {
    return [once](std::size_t times) {
        for (; times > 0; --times) {
            once();
            clobber_memory();
        }
    };
}

/// A library, or another way to compute a task, that is measured beside xeinsum on one thread.
class peer {
public:
    virtual ~peer() = default;

    [[nodiscard]] virtual std::string name() const = 0;
    /// Whether it takes part in the column "best BLAS".
    [[nodiscard]] virtual bool is_blas() const { return false; }
    /// Whether it is one of xeinsum's lowerings, which option --regret compares.
    [[nodiscard]] virtual bool is_lowering() const { return false; }
    /// The task and, if there is one, the product of matrices that it is outlive the work.
    [[nodiscard]] virtual work<float> prepare(const task<float>& t,
                                              const matrix_product<float>* product) const = 0;
    [[nodiscard]] virtual work<double> prepare(const task<double>& t,
                                               const matrix_product<double>* product) const = 0;
};

/// Lets a peer write one template, make<T>(task, product), for both element types.
template <class Derived>
class peer_of : public peer {
public:
    [[nodiscard]] work<float> prepare(const task<float>& t,
                                      const matrix_product<float>* product) const override {
        return static_cast<const Derived*>(this)->make(t, product);
    }
    [[nodiscard]] work<double> prepare(const task<double>& t,
                                       const matrix_product<double>* product) const override {
        return static_cast<const Derived*>(this)->make(t, product);
    }
};

/// The peers of this build, in the order in which their files are linked.
[[nodiscard]] std::vector<std::unique_ptr<peer>>& all_peers();

/// One of these in a peer's file adds it.
template <class Peer>
struct add_peer {
    template <class... Arguments>
    explicit add_peer(Arguments... arguments) {
        all_peers().push_back(std::make_unique<Peer>(arguments...));
    }
};

}  // namespace bench
