// The plan of "ab,bc,cd->ad" as text, and from text on every rank.
#include "sliced_network.hpp"

#include <xeinsum/plan_file.hpp>

#include <random>
#include <sstream>

namespace mpi_network {

namespace {

xeinsum::bound_plan<double> loaded(const network_file::network& network,
                                   const std::string& plan_text) {
    std::istringstream text(plan_text);
    return xeinsum::load_plan<double>(text).bind_all(operands_of(network));
}

}  // namespace

xeinsum::equation equation_of(const network_file::network& network) {
    return xeinsum::equation::from_labels(network.labels, network.output);
}

std::vector<xt::xarray<double>> operands_of(const network_file::network& network) {
    std::mt19937 draw(1);
    std::vector<xt::xarray<double>> operands;
    for (const std::vector<std::size_t>& shape : network.shapes) {
        operands.push_back(xt::xarray<double>::from_shape(shape));
        // Not by a distribution, which may differ from one standard library to another.
        std::generate(operands.back().begin(), operands.back().end(),
                      [&] { return static_cast<double>(draw()) / 2147483648.0 - 1; });
    }
    return operands;
}

std::string planned(const network_file::network& network, std::size_t memory_limit) {
    std::ostringstream text;
    xeinsum::save_plan(text, xeinsum::make_plan<double>(equation_of(network), network.shapes,
                                                        {.memory_limit = memory_limit}));
    return text.str();
}

sliced_network::sliced_network(const network_file::network& network, const std::string& plan_text,
                               std::int64_t slices_per_part)
    : plan_(loaded(network, plan_text)),
      memory_(plan_.make_workspace()),
      out_(xt::xarray<double>::from_shape(
          std::vector<std::size_t>(plan_.output_extents().begin(), plan_.output_extents().end()))),
      slices_per_part_(slices_per_part),
      text_(plan_text + std::to_string(slices_per_part)) {}

std::vector<double> sliced_network::sum(std::int64_t part) {
    out_.fill(0);
    const std::int64_t first = part * slices_per_part_;
    const std::int64_t last = std::min(first + slices_per_part_, slices());
    for (std::int64_t slice = first; slice < last; ++slice) {
        plan_.run_slice(slice, out_, memory_);
    }
    return {out_.begin(), out_.end()};
}

}  // namespace mpi_network
