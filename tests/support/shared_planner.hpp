// The planner of calls that only the run knows, compiled once as well.
#pragma once

#include "shared_equations.hpp"

#include <xeinsum/lowering/lowerings.hpp>
#include <xeinsum/plan/planner.hpp>

namespace support {

using shared_emitter =
    xeinsum::planning::step_emitter<xeinsum::plan_storage, xeinsum::lowerings::all>;

}  // namespace support

extern template class xeinsum::planning::planner<xeinsum::plan_storage, xeinsum::lowerings::all>;
extern template void xeinsum::planning::emit_path(support::shared_emitter&);
extern template void xeinsum::planning::emit_reordered(support::shared_emitter&, xeinsum::array_id,
                                                       xeinsum::array_id);
