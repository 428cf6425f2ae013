// The language that the library is written in: with -std=c++17, a file that calls einsum("ij->ji",
// a) ends in one message, not in those of all headers behind.
#pragma once

#if __cplusplus < 202002L
#error "xeinsum needs C++20: compile with -std=c++20"
// That alone would not end the compilation. A header that is not found does.
#include <xeinsum needs C++20: compile with -std=c++20>
#endif
