#include <xeinsum/plan/options.hpp>

#include "../support/both.hpp"

#include <array>
#include <cstddef>
#include <limits>
#include <set>
#include <string_view>

using xeinsum::lowering;

TEST_CASE("options left alone decide nothing") {
    support::check_both([] {
        constexpr xeinsum::options o;
        return o.lowering == lowering::automatic && o.path == xeinsum::path_strategy::automatic &&
               o.threads == 1 && o.notation == xeinsum::notation::automatic &&
               o.memory_limit == std::numeric_limits<std::size_t>::max() && o.machine == nullptr &&
               machine_of(o) == xeinsum::machine{};
    });
}

namespace {

constexpr xeinsum::error_code code(const xeinsum::options& o, std::size_t operands) {
    return xeinsum::check_options(o, operands).code;
}

}  // namespace

TEST_CASE("values that an option cannot have are refused") {
    using xeinsum::error_code;
    support::check_both([] {
        return code({}, 3) == error_code::none &&
               code({.lowering = lowering::depthwise_convolution,
                     .path = xeinsum::path_strategy::least_memory},
                    3) == error_code::none &&
               code({.lowering = static_cast<lowering>(4)}, 1) == error_code::bad_option &&
               code({.lowering = static_cast<lowering>(77)}, 2) == error_code::bad_option &&
               code({.path = static_cast<xeinsum::path_strategy>(8)}, 2) ==
                   error_code::bad_option &&
               code({.threads = 0}, 1) == error_code::bad_option;
    });
    support::check_both([] {
        constexpr double nan = std::numeric_limits<double>::quiet_NaN();
        constexpr double inf = std::numeric_limits<double>::infinity();
        return code({.path_cost = {1e100, 0, 1e-300}}, 3) == error_code::none &&
               code({.path_cost = {nan, 0, 0}}, 3) == error_code::bad_option &&
               code({.path_cost = {1, inf, 0}}, 3) == error_code::bad_option &&
               code({.path_cost = {1, 0, 1e308}}, 3) == error_code::bad_option &&
               code({.path_cost = {1, 0, -1}}, 3) == error_code::bad_option &&
               code({.path_seconds = nan}, 3) == error_code::bad_option &&
               // Two operands have one path.
               code({.path_cost = {nan, 0, 0}, .path_seconds = nan}, 2) == error_code::none;
    });
}

TEST_CASE("slices are of three operands or more") {
    using xeinsum::error_code;
    support::check_both([] {
        constexpr std::array<xeinsum::sliced_label, 1> cut{{{2, 4}}};
        return code({.slices = cut}, 3) == error_code::none &&
               code({.slices = cut}, 2) == error_code::bad_option &&
               !xeinsum::leaves_choice({.slices = cut}) && xeinsum::leaves_choice({});
    });
}

TEST_CASE("every strategy has a name of its own") {
    std::set<std::string_view> names;
    for (unsigned char s = 0; name(static_cast<xeinsum::path_strategy>(s)) != "?"; ++s) {
        names.insert(name(static_cast<xeinsum::path_strategy>(s)));
    }
    CHECK(names.size() == static_cast<std::size_t>(xeinsum::path_strategy::least_memory) + 1);
}

TEST_CASE("every lowering has a name of its own") {
    std::set<std::string_view> names{name(lowering::automatic)};
    for (const lowering l : xeinsum::lowerings_in_order) {
        names.insert(name(l));
    }
    CHECK(names.size() == 4);
    CHECK(names.count("?") == 0);
}
