// Plans without kernels: the planner alone.
#include "emitted.hpp"
#include "shared_planner.hpp"

#include <xeinsum/compiled.hpp>
#include <xeinsum/emit/write.hpp>
#include <xeinsum/equation/network.hpp>
#include <xeinsum/equation/parser.hpp>
#include <xeinsum/plan.hpp>
#include <xeinsum/plan/planner.hpp>

#include <cstddef>
#include <vector>

namespace support {

xeinsum::emission::program emitted(std::string_view text,
                                   const std::vector<std::vector<std::int64_t>>& extents,
                                   std::string_view dynamic, xeinsum::emission::abilities able,
                                   xeinsum::lowering forced) {
    const auto eq = xeinsum::parse(text, xeinsum::notation::letters);
    std::vector<std::size_t> ranks;
    std::vector<xeinsum::layout> layouts;
    for (const auto& e : extents) {
        ranks.push_back(e.size());
        layouts.push_back(xeinsum::row_major(e));
    }
    const std::vector<xeinsum::layout_view> views(layouts.begin(), layouts.end());
    const auto net = xeinsum::resolve<xeinsum::heap_storage>(eq, ranks);
    const auto view = net.view();
    xeinsum::options wanted;
    wanted.lowering = forced;
    xeinsum::basic_plan_data<xeinsum::plan_storage> data;
    xeinsum::planning::planner<xeinsum::plan_storage, xeinsum::lowerings::all> planner(
        view, views, wanted, xeinsum::planning::target{}, data);
    static_cast<void>(planner.measure());
    std::vector<std::int64_t> output;
    for (const xeinsum::label l : view.output) {
        output.push_back(planner.extent(l));
    }
    static_cast<void>(planner.make(xeinsum::row_major(output).strides));
    xeinsum::emission::label_table labels{{data.extents.begin(), data.extents.end()}, {}, {}};
    for (std::size_t l = 0; l < eq.label_count(); ++l) {
        labels.names.emplace_back(eq.name(static_cast<xeinsum::label>(l)));
        labels.dynamic.push_back(dynamic.find(labels.names.back()) != std::string_view::npos);
    }
    return xeinsum::emission::writer(view, extents, data.view(), labels, able).write();
}

}  // namespace support
