// Reading equations such as "ij,jk->ik" without <xeinsum/compiled.hpp>: the library has it, and no
// file of the tests need compile it. Only for programs that link xeinsum_test_support.
#pragma once

#include <xeinsum/equation/network.hpp>
#include <xeinsum/equation/parser.hpp>

#include <cstddef>
#include <string_view>

extern template xeinsum::problem xeinsum::parsing::read_into(
    xeinsum::basic_equation<xeinsum::heap_storage>&, std::string_view, xeinsum::notation,
    xeinsum::call_kind);
extern template void xeinsum::parsing::raise<xeinsum::heap_storage>(const xeinsum::problem&,
                                                                    std::string_view,
                                                                    xeinsum::notation, bool);
extern template xeinsum::basic_network<xeinsum::heap_storage>
xeinsum::resolve<xeinsum::heap_storage>(const xeinsum::basic_equation<xeinsum::heap_storage>&,
                                        xeinsum::list_view<const std::size_t>, xeinsum::groups);
