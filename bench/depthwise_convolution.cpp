// Contractions that keep groups apart: "bchw,bchw->bc" sums a window in every channel.
#include "cases.hpp"

namespace bench {

std::vector<bench_case> depthwise_convolution_cases() {
    return {
        {"bchw,bchw->bc", {{8, 64, 56, 56}, {8, 64, 56, 56}}},
        {"bchw,bchw->bc", {{32, 256, 14, 14}, {32, 256, 14, 14}}},
        {"bhwc,bhwc->bc", {{32, 14, 14, 256}, {32, 14, 14, 256}}},
    };
}

}  // namespace bench
