// Plans that are made once for all calls alike: einsum(cache, "ij,jk->ik", a, b) plans the first
// time and finds the plan again for operands that lie alike.
#pragma once

#include <xeinsum/language.hpp>

#include <xeinsum/call/default_arch.hpp>
#include <xeinsum/call/workspace.hpp>
#include <xeinsum/equation/list_view.hpp>
#include <xeinsum/plan.hpp>
#include <xeinsum/plan/key.hpp>

#include <cstddef>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

namespace xeinsum {

/// The plans that were used last, at most capacity of them. Threads may share a cache. A plan is
/// returned only for a key that equals its own, whatever Hash says.
template <class T, class Arch = detail::default_arch, class Hash = plan_key_hash>
class plan_cache {
public:
    /// What it keeps.
    using plan_type = plan<T, Arch>;

    /// A capacity of 0 counts as 1.
    explicit plan_cache(std::size_t capacity = 64) : capacity_(capacity > 0 ? capacity : 1) {}
    plan_cache(const plan_cache&) = delete;
    plan_cache& operator=(const plan_cache&) = delete;

    /// The plan for operands that lie as given. Made where the cache has none; while it is made,
    /// others may use the cache. It lives as long as somebody holds it. Throws einsum_error;
    /// whatever is thrown, the cache keeps what it has.
    [[nodiscard]] std::shared_ptr<const plan_type> get(const equation_argument& eq,
                                                       list_view<const layout_view> operands,
                                                       const options& wanted = {}) {
        const plan_key_view key{eq.text(), eq.notation(wanted.notation), operands, &wanted};
        const std::size_t hash = Hash()(key);
        {
            const std::lock_guard lock(mutex_);
            if (const auto found = find(hash, key); found != entries_.end()) {
                ++hits_;
                entries_.splice(entries_.begin(), entries_, found);
                return found->plan;
            }
            ++misses_;
        }
        std::vector<layout> layouts;
        layouts.reserve(operands.size());
        for (const layout_view& l : operands) {
            layouts.push_back(
                {{l.extents.begin(), l.extents.end()}, {l.strides.begin(), l.strides.end()}});
        }
        plan_key kept(eq.text(), key.notation, layouts, wanted);
        auto made =
            std::make_shared<const plan_type>(eq.get(wanted.notation), std::move(layouts), wanted);
        const std::lock_guard lock(mutex_);
        if (const auto found = find(hash, key); found != entries_.end()) {
            return found->plan;  // another thread was faster
        }
        // What may throw comes first: an entry without its hash could never be found, nor
        // forgotten.
        entry_list added;
        added.push_front({hash, std::move(kept), made});
        by_hash_.emplace(hash, added.begin());
        entries_.splice(entries_.begin(), added);
        if (entries_.size() > capacity_) {
            forget_last();
        }
        return made;
    }

    /// The most plans that it keeps.
    [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }
    /// How many it keeps now.
    [[nodiscard]] std::size_t size() const {
        const std::lock_guard lock(mutex_);
        return entries_.size();
    }
    /// How often get() found a plan, and how often it had to make one.
    [[nodiscard]] std::size_t hits() const {
        const std::lock_guard lock(mutex_);
        return hits_;
    }
    /// How often get() had to make a plan.
    [[nodiscard]] std::size_t misses() const {
        const std::lock_guard lock(mutex_);
        return misses_;
    }
    /// Forgets all plans; those that somebody holds live on.
    void clear() {
        const std::lock_guard lock(mutex_);
        by_hash_.clear();
        entries_.clear();
    }

private:
    struct entry {
        std::size_t hash;
        plan_key key;
        std::shared_ptr<const plan_type> plan;
    };
    using entry_list = std::list<entry>;  // the last used first

    [[nodiscard]] typename entry_list::iterator find(std::size_t hash, const plan_key_view& key) {
        const auto [first, last] = by_hash_.equal_range(hash);
        for (auto candidate = first; candidate != last; ++candidate) {
            if (candidate->second->key == key) {
                return candidate->second;
            }
        }
        return entries_.end();
    }

    void forget_last() {
        const auto [first, last] = by_hash_.equal_range(entries_.back().hash);
        for (auto candidate = first; candidate != last; ++candidate) {
            if (&*candidate->second == &entries_.back()) {
                by_hash_.erase(candidate);
                break;
            }
        }
        entries_.pop_back();
    }

    const std::size_t capacity_;
    mutable std::mutex mutex_{};
    entry_list entries_{};
    std::unordered_multimap<std::size_t, typename entry_list::iterator> by_hash_{};
    std::size_t hits_ = 0;
    std::size_t misses_ = 0;
};

/// einsum with an equation that is known at run time, planned by way of a cache. T is the element
/// type of the computation and of the result. Throws einsum_error.
template <class T, class Arch, class Hash, array::operand_like... Operands>
[[nodiscard]] array::new_array_t<T> einsum(plan_cache<T, Arch, Hash>& cache,
                                           const equation_argument& eq, const options& wanted,
                                           const Operands&... operands) {
    const detail::operand_pack<T, Operands...> held(operands...);
    const auto plan = cache.get(eq, held.layouts(), wanted);
    const auto extents = plan->output_extents();
    typename array::new_array_t<T>::shape_type shape;
    shape.resize(extents.size());
    for (std::size_t a = 0; a < extents.size(); ++a) {
        shape[a] = static_cast<std::size_t>(extents[a]);
    }
    array::new_array_t<T> result = array::new_array_t<T>::from_shape(shape);
    detail::run_memory memory;
    detail::run_access::run(*plan, wanted.parallel, result, scale{1, 0}, std::ref(memory),
                            held.layouts(), held.pointers());
    return result;
}
/// The same with default options.
template <class T, class Arch, class Hash, array::operand_like... Operands>
[[nodiscard]] array::new_array_t<T> einsum(plan_cache<T, Arch, Hash>& cache,
                                           const equation_argument& eq,
                                           const Operands&... operands) {
    return einsum(cache, eq, options{}, operands...);
}

/// einsum_to with an equation that is known at run time, planned by way of a cache:
/// out = alpha * result + beta * out. Out may overlap operands.
template <class T, class Arch, class Hash, array::expression Out, class A, class B,
          array::operand_like... Operands>
void einsum_to(plan_cache<T, Arch, Hash>& cache, const equation_argument& eq, Out&& out,
               const scale<A, B>& by, const options& wanted, const Operands&... operands) {
    const detail::operand_pack<T, Operands...> held(operands...);
    const auto plan = cache.get(eq, held.layouts(), wanted);
    detail::run_memory memory;
    detail::run_access::run(*plan, wanted.parallel, out, by, std::ref(memory), held.layouts(),
                            held.pointers());
}
/// out = result, with default options.
template <class T, class Arch, class Hash, array::expression Out, array::operand_like... Operands>
void einsum_to(plan_cache<T, Arch, Hash>& cache, const equation_argument& eq, Out&& out,
               const Operands&... operands) {
    einsum_to(cache, eq, out, scale{1, 0}, options{}, operands...);
}

}  // namespace xeinsum
