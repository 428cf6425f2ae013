#include "shared_planner.hpp"

template class xeinsum::planning::planner<xeinsum::plan_storage, xeinsum::lowerings::all>;
template void xeinsum::planning::emit_path(support::shared_emitter&);
template void xeinsum::planning::emit_reordered(support::shared_emitter&, xeinsum::array_id,
                                                xeinsum::array_id);
