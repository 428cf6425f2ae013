// Plans as text for other libraries: make_plan<float>("ij,jk->ik", shapes).emit(target::torch) is a
// Python function that returns a @ b.
#pragma once

#include <xeinsum/language.hpp>

#include <xeinsum/emit/emit.hpp>
#include <xeinsum/plan.hpp>
#include <xeinsum/plan/layout.hpp>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace xeinsum {

namespace emission {

/// The plan of elements T that a state holds, for as long as it does.
template <class T, class State>
[[nodiscard]] planned planned_by(const State& s) {
    std::vector<std::vector<std::int64_t>> extents;
    for (const layout& l : s.operands()) {
        extents.push_back(l.extents);
    }
    return {s.equation,         s.network.view(), s.data.view(),
            std::move(extents), element_of<T>(),  s.groups.get()};
}

}  // namespace emission

template <class T, class Arch>
std::string plan<T, Arch>::emit(xeinsum::target to) const {
    return emit(to, emit_options{});
}

template <class T, class Arch>
std::string plan<T, Arch>::emit(xeinsum::target to, const emit_options& wanted) const {
    return emission::emit(emission::planned_by<T>(this->state()), to, wanted);
}

template <class T, class Arch>
emission::program plan<T, Arch>::operations(std::vector<bool> dynamic) const {
    return operations(std::move(dynamic), emission::abilities{});
}

template <class T, class Arch>
emission::program plan<T, Arch>::operations(std::vector<bool> dynamic,
                                            const emission::abilities& able) const {
    return emission::program_of(emission::planned_by<T>(this->state()), std::move(dynamic), able);
}

}  // namespace xeinsum
