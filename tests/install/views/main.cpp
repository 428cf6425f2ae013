// An engine's tensors in "nctw,cd->ndtw", as they lie.
#include <xeinsum/compiled_views.hpp>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

struct tensor {
    std::vector<float> elements;
    std::vector<std::int64_t> extents;
    std::vector<std::int64_t> strides;
};

xeinsum::view<const float> view_of(const tensor& t) {
    return {t.elements.data(), t.extents, t.strides};
}
xeinsum::view<float> view_of(tensor& t) {
    return {t.elements.data(), t.extents, t.strides};
}

}  // namespace

int main() {
    const tensor x{{1, 2, 3, 4, 5, 6, 7, 8}, {1, 2, 2, 2}, {8, 4, 2, 1}};
    const tensor w{{1, 10, 100, 1000, 2000, 3000}, {2, 3}, {3, 1}};
    tensor y{std::vector<float>(12), {1, 3, 2, 2}, {12, 4, 2, 1}};
    xeinsum::einsum_to<"nctw,cd->ndtw">(view_of(y), view_of(x), view_of(w));
    std::printf("%s\n", xeinsum::cpu().data());
    const std::vector<float> expected{5001,  6002,  7003,  8004,  10010, 12020,
                                      14030, 16040, 15100, 18200, 21300, 24400};
    return y.elements == expected ? EXIT_SUCCESS : EXIT_FAILURE;
}
