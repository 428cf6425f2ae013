// reduce<"a b -> a", mean> of integers would not be one.
#include <xeinsum/rearrange.hpp>

auto wrong(const xt::xtensor<int, 2>& x) {
    return xeinsum::reduce<"a b -> a", xeinsum::reduction::mean>(x);
}
