// What explain --svg writes: the plan of "ij,jk,kl->il" as a picture, operands above, one box for
// each step, the result at the bottom.
#pragma once

#include <xeinsum/compiled.hpp>
#include <xeinsum/plan.hpp>

#include <cstddef>
#include <string>

namespace example {

/// The parts of a plan that are drawn.
struct drawn_plan {
    const xeinsum::equation& equation;
    xeinsum::network_view network;
    xeinsum::plan_view plan;
    xeinsum::list_view<const xeinsum::layout> operands;
    std::size_t element_bytes;
};

/// The picture as an SVG. The same plan gives the same text on every machine.
[[nodiscard]] std::string svg_of(const drawn_plan& drawn);

/// A plan whose steps can be followed: which arrays they read, and with which labels.
template <class T>
class readable_plan : xeinsum::plan<T> {
public:
    explicit readable_plan(const xeinsum::plan<T>& made) : xeinsum::plan<T>(made) {}

    [[nodiscard]] std::string svg() const {
        const auto& s = this->state();
        return svg_of({s.equation, s.network.view(), s.data.view(), s.operands(), sizeof(T)});
    }
};

}  // namespace example
