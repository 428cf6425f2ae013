// A malformed equation is no constant.
#include <xeinsum/equation/parser.hpp>

constexpr auto wrong = xeinsum::parse("ij,jk->il");
