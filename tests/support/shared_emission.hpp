// Plans written down, which the tests have compiled once. Only for programs that link
// xeinsum_test_support.
#pragma once

#include <xeinsum/emit/emit.hpp>

#include <string>

extern template std::string xeinsum::emission::emit(const xeinsum::emission::planned&,
                                                    xeinsum::target, const xeinsum::emit_options&);
