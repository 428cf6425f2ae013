// How pieces of work are given to threads: the halves of "ij,jk->ik", rows above and rows below,
// are body(0) and body(1), which whoever owns the threads calls at the same time.
#pragma once

#include <concepts>
#include <cstddef>
#include <memory>
#include <type_traits>

namespace xeinsum {

/// The pieces of one step. Calls with different numbers may run at the same time.
class pieces_of_work {
public:
    /// Runs one piece of an object's work.
    using function = void (*)(const void* object, std::size_t piece);
    /// Of an object, which must outlive this.
    constexpr pieces_of_work(const void* object, function call) noexcept
        : object_(object), call_(call) {}

    /// Runs one piece.
    void operator()(std::size_t piece) const { call_(object_, piece); }

private:
    const void* object_;
    function call_;
};

/// Refers to a function that runs pieces of work, called as f(count, body): it calls body(0) ...
/// body(count - 1), each once, in any order and on any threads, and returns when all have returned.
/// body throws nothing, and f must not throw. f must outlive the call that it is passed to.
///
///     auto on_my_pool = [&](std::size_t count, xeinsum::pieces_of_work body) { ... };
///     plan.run(on_my_pool, out, memory, a, b);
///     einsum("ij,jk->ik", options{.threads = 4, .parallel = on_my_pool}, a, b);
class parallel_for {
public:
    /// The backend of the build: OpenMP, oneTBB or, without either, the calling thread alone.
    constexpr parallel_for() noexcept = default;

    /// A function of the user's, which must outlive this.
    template <class F>
        requires(!std::same_as<std::remove_const_t<F>, parallel_for> &&
                 requires(F & f, std::size_t count, pieces_of_work body) {
                     { f(count, body) } -> std::same_as<void>;
                 })
    // NOLINTNEXTLINE(google-explicit-constructor): a function stands for itself.
    constexpr parallel_for(F& f) noexcept
        : object_(std::addressof(f)),
          call_([](const void* object, std::size_t count, const pieces_of_work& body) {
              (*static_cast<F*>(const_cast<void*>(object)))(count, body);
          }) {}

    /// Whether it refers to a function of the user's.
    [[nodiscard]] constexpr explicit operator bool() const noexcept { return call_ != nullptr; }

    /// Whether they refer to the same function.
    [[nodiscard]] friend constexpr bool operator==(const parallel_for&,
                                                   const parallel_for&) = default;

    /// Runs all pieces.
    void operator()(std::size_t count, const pieces_of_work& body) const {
        call_(object_, count, body);
    }

private:
    const void* object_ = nullptr;
    void (*call_)(const void*, std::size_t, const pieces_of_work&) = nullptr;
};

}  // namespace xeinsum
