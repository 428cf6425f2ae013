// "b (h d) -> b h d" of a text.
#include <xeinsum/grouped_einsum.hpp>

#include <string>

auto wrong(const std::string& x) {
    return xeinsum::einsum<"b (h d) -> b h d">(x, xeinsum::axis<"h">(2));
}
