#include "shared_equations.hpp"

template xeinsum::problem xeinsum::parsing::read_into(
    xeinsum::basic_equation<xeinsum::heap_storage>&, std::string_view, xeinsum::notation,
    xeinsum::call_kind);
template void xeinsum::parsing::raise<xeinsum::heap_storage>(const xeinsum::problem&,
                                                             std::string_view, xeinsum::notation,
                                                             bool);
template xeinsum::basic_network<xeinsum::heap_storage> xeinsum::resolve<xeinsum::heap_storage>(
    const xeinsum::basic_equation<xeinsum::heap_storage>&, xeinsum::list_view<const std::size_t>,
    xeinsum::groups);
