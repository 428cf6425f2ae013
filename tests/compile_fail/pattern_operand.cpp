// "a b -> b a" of a vector, at run time.
#include <xeinsum/rearrange.hpp>

#include <vector>

auto wrong(const std::vector<double>& x) {
    return xeinsum::rearrange("a b -> b a", x);
}
