// Where libtorch is not found, nothing stands beside "ab,bc,cd->ad".
#include "network_peer.hpp"

namespace bench {

bool has_network_peer() noexcept {
    return false;
}

std::function<const float*()> network_peer(const std::string& /*equation*/,
                                           const std::vector<network_operand>& /*operands*/) {
    return {};
}

std::function<const float*()> network_path_peer(
    const std::vector<std::vector<int>>& /*terms*/, const std::vector<int>& /*output*/,
    const std::vector<network_operand>& /*operands*/,
    const std::vector<std::vector<std::size_t>>& /*path*/) {
    return {};
}

}  // namespace bench
