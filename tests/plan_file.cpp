#include <xeinsum/plan_file.hpp>

#include "support/arrays.hpp"
#include "support/error_of.hpp"

#include <xeinsum/compiled.hpp>
#include <xeinsum/reference/einsum.hpp>

#include <doctest/doctest.h>

#include <array>
#include <complex>
#include <cstddef>
#include <cstring>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using support::code_of;
using support::numbers;
using xeinsum::error_code;
using xeinsum::load_plan;
using xeinsum::make_plan;
using xeinsum::options;
using xeinsum::path_strategy;
using xeinsum::save_plan;
namespace reference = xeinsum::reference;

namespace {

using shapes = std::vector<std::vector<std::size_t>>;

template <class Plan>
std::string saved(const Plan& p) {
    std::ostringstream out;
    save_plan(out, p);
    return out.str();
}
template <class T = float>
auto loaded(const std::string& text, const xeinsum::load_options& here = {}) {
    std::istringstream in(text);
    return load_plan<T>(in, here);
}
template <class Plan>
std::string printed(const Plan& p) {
    std::ostringstream out;
    out << p;
    return out.str();
}

/// The bits of results on operands whose sums depend on the order.
template <class T, class Plan>
std::vector<T> results(const Plan& p) {
    std::vector<xt::xarray<T>> operands;
    for (const xeinsum::layout& l : p.key().operands()) {
        const std::vector<std::size_t> shape(l.extents.begin(), l.extents.end());
        operands.push_back(numbers<T>(shape, 5 * operands.size()) / T(3));
    }
    const std::vector<std::size_t> shape(p.output_extents().begin(), p.output_extents().end());
    xt::xarray<T> out = xt::xarray<T>::from_shape(shape);
    auto memory = p.make_workspace();
    p.run(out, memory, operands);
    return {out.begin(), out.end()};
}

template <class T, class Plan>
void check_round_trip(const Plan& p) {
    const std::string text = saved(p);
    CAPTURE(text);
    const auto again = loaded<T>(text);
    CHECK(again == p);
    CHECK(printed(again) == printed(p));
    CHECK(again.path() == p.path());
    CHECK(saved(again) == text);
    const std::vector<T> a = results<T>(p), b = results<T>(again);
    REQUIRE(a.size() == b.size());
    CHECK((a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0));
}

/// A file with such lines and their checksum.
std::string sealed(const std::string& body) {
    return "xeinsum plan 1\n" + body + "checksum " + xeinsum::detail::checksum_text(body) + "\n";
}
/// The lines of a file between the first and the last.
std::string body_of(const std::string& file) {
    const std::size_t begin = file.find('\n') + 1;
    return file.substr(begin, file.rfind("checksum ") - begin);
}
std::string with(std::string text, std::string_view old_part, std::string_view new_part) {
    const std::size_t at = text.find(old_part);
    REQUIRE(at != std::string::npos);
    return text.replace(at, old_part.size(), new_part);
}

const shapes chain{{4, 6}, {6, 10}, {10, 3}, {3, 8}};

xeinsum::plan<float> chain_plan() {
    return make_plan<float>("ij,jk,kl,lm->im", chain, {.memory_limit = 40});
}

}  // namespace

TEST_CASE("a plan that is loaded is the one that was saved") {
    static const std::vector<std::pair<std::size_t, std::size_t>> pairs{{0, 1}, {2, 4}, {5, 3}};
    static const std::vector<std::pair<std::size_t, std::size_t>> places{{0, 1}, {0, 2}, {0, 1}};
    static const std::vector<xeinsum::sliced_label> slices{{2, 5}, {4, 0}};
    const std::vector<options> all{
        {},
        {.lowering = xeinsum::lowering::gemm, .threads = 2},
        {.lowering = xeinsum::lowering::broadcast_multiply_reduce},
        {.path = path_strategy::greedy, .memory_limit = 8},
        {.path = path_strategy::random_greedy, .path_cost = {1, 0.1, 0}, .path_restarts = 9},
        {.path = path_strategy::random_greedy, .path_seconds = 0.001},
        {.path = path_strategy::optimal, .memory_limit = 40},
        {.path = path_strategy::fused},
        {.path = path_strategy::numbered_pairs, .path_pairs = pairs},
        {.path = path_strategy::linear_pairs, .path_pairs = places, .slices = slices},
        {.memory_limit = 16, .slices = slices},
    };
    for (const options& wanted : all) {
        check_round_trip<float>(make_plan<float>("ij,jk,kl,lm->im", chain, wanted));
    }
    check_round_trip<double>(make_plan<double>("ij,jk,kl,lm->im", chain));
    check_round_trip<std::complex<float>>(make_plan<std::complex<float>>("ij,jk,kl,lm->im", chain));
}

TEST_CASE("pairs that were joined are joined again") {
    const auto p = make_plan<float>("b l d_in, b l n, b l d_in -> b l d_in n",
                                    {{2, 64, 96}, {2, 64, 16}, {2, 64, 96}});
    CHECK(p.steps().size() == 1);
    check_round_trip<float>(p);
    check_round_trip<float>(
        make_plan<float>("ab,bc,bc,cd,bc->acd", {{50, 60}, {60, 40}, {60, 40}, {40, 5}, {60, 40}}));
}

TEST_CASE("equations of every notation, and operands of every layout") {
    check_round_trip<float>(make_plan<float>("->", {{}}));
    check_round_trip<float>(make_plan<float>("ij,jk", {{4, 6}, {6, 5}}));
    check_round_trip<float>(make_plan<float>("i,ij,jk->k", {{4}, {4, 0}, {0, 5}}));
    check_round_trip<float>(make_plan<float>("...ij,...jk,kl", {{3, 1, 4, 6}, {5, 6, 5}, {5, 2}},
                                             {.memory_limit = 16}));
    const auto grouped = make_plan<float>("b n (h d), b m (h d), ... m -> b h n ...",
                                          {{2, 5, 12}, {1, 7, 12}, {3, 7}}, {{"h", 3}});
    check_round_trip<float>(grouped);
    check_round_trip<float>(make_plan<float>("(a 2) b -> b a", {{6, 5}}, xeinsum::axis_lengths()));
    using xeinsum::ellipsis;
    using xeinsum::equation;
    check_round_trip<float>(make_plan<float>(
        equation::from_labels({{0, 1}, {1, -70}, {-70, ellipsis}}, {{ellipsis, 0}}),
        {{4, 6}, {6, 10}, {10, 3}}));
    check_round_trip<float>(
        make_plan<float>(equation::from_labels({{0, 1}, {1, ellipsis}, {}}), {{4, 6}, {6, 5}, {}}));
    check_round_trip<float>(xeinsum::make_plan_for<float>(
        "ij,jk,kl->il", {{{4, 6}, {1, -4}}, {{6, 5}, {0, 3}}, {{5, 2}, {2, 1}}}));
}

TEST_CASE("results of a loaded plan are right") {
    const auto p = loaded(saved(chain_plan()));
    REQUIRE(!p.slices().empty());
    std::vector<xt::xarray<float>> operands;
    for (const auto& shape : chain) {
        operands.push_back(numbers(shape, 5 * operands.size()));
    }
    xt::xarray<float> out = xt::zeros<float>({4, 8});
    auto memory = p.make_workspace();
    p.run(out, memory, operands);
    CHECK(out == reference::einsum("ij,jk,kl,lm->im", operands));
}

TEST_CASE("the path is that of the file, and none is searched for") {
    const auto p = make_plan<float>("ij,jk,kl,lm->im", chain,
                                    {.path = path_strategy::random_greedy, .path_restarts = 3});
    const std::vector<std::vector<std::size_t>> other{{0, 3}, {1, 2}, {4, 5}};
    REQUIRE(p.path() != other);
    const std::string body = body_of(saved(p));
    const std::size_t at = body.find("found_path");
    const std::string forged =
        with(body.substr(0, at), "path_restarts 3", "path_restarts 1000000000000000") +
        "found_path [[0, 3], [1, 2], [4, 5]]\nfound_slices [[2, 5], [1, 2]]\n";
    const auto q = loaded(sealed(forged));
    CHECK(q.path() == other);
    REQUIRE(q.slices().size() == 2);
    CHECK(q.slices()[0].id == 1);
    CHECK(q.slices()[1].count == 5);
    const std::string lost = body.substr(0, at) + "found_path []\nfound_slices []\n";
    CHECK(code_of([&] { static_cast<void>(loaded(sealed(lost))); }) == error_code::malformed_path);
    const std::string automatic = with(lost, "path random_greedy", "path automatic");
    CHECK(loaded(sealed(automatic)).path() == make_plan<float>("ij,jk,kl,lm->im", chain).path());
}

TEST_CASE("binding keeps the path of the file") {
    // b lies transposed, so that its copy is planned for.
    const auto p = xeinsum::make_plan_for<float>("ij,jk,kl,lm->im", {xeinsum::row_major({4, 6}),
                                                                     {{6, 10}, {1, 6}},
                                                                     xeinsum::row_major({10, 3}),
                                                                     xeinsum::row_major({3, 8})});
    const std::string body = body_of(saved(p));
    const auto q = loaded(sealed(body.substr(0, body.find("found_path")) +
                                 "found_path [[0, 3], [1, 2], [4, 5]]\nfound_slices [[1, 2]]\n"));
    const auto a = numbers({4, 6}), b = numbers({6, 10}, 5), c = numbers({10, 3}, 10),
               d = numbers({3, 8}, 15);
    const auto bound = q.bind(1, b);
    REQUIRE(bound.slices().size() == 1);
    CHECK(bound.slices()[0].id == 1);
    CHECK(bound.slices()[0].count == 2);
    xt::xarray<float> out = xt::zeros<float>({4, 8});
    auto memory = bound.make_workspace();
    bound.run(out, memory, a, c, d);
    CHECK(out == reference::einsum("ij,jk,kl,lm->im", a, b, c, d));
}

TEST_CASE("threads and machine are those of the program that loads") {
    const xeinsum::machine slow{.hertz = 1e9};
    const auto p = make_plan<float>("ij,jk,kl,lm->im", chain, {.threads = 2, .machine = &slow});
    const std::string text = saved(p);
    CHECK(loaded(text).key().wanted().threads == 2);
    CHECK(loaded(text).key().wanted().machine == nullptr);
    CHECK(loaded(text, {.machine = &slow}) == p);
    CHECK(loaded(text, {.threads = 3}).key().wanted().threads == 3);
}

TEST_CASE("several plans in one stream") {
    std::stringstream stream;
    const auto first = chain_plan();
    const auto second = make_plan<float>("ij->j", {{4, 6}});
    save_plan(stream, first);
    save_plan(stream, second);
    stream << "rest";
    CHECK(load_plan<float>(stream) == first);
    CHECK(load_plan<float>(stream) == second);
    std::string rest;
    stream >> rest;
    CHECK(rest == "rest");
}

TEST_CASE("a file that is damaged anywhere is refused") {
    const std::string text = saved(chain_plan());
    const auto code = [](const std::string& file) {
        return code_of([&] { static_cast<void>(loaded(file)); });
    };
    CHECK(code(text) == error_code::none);
    const auto expected = [](const std::string& file) {
        const std::string first = file.substr(0, file.find('\n'));
        const bool other = first.starts_with("xeinsum plan ") && first != "xeinsum plan 1";
        return other ? error_code::plan_version : error_code::malformed_plan;
    };
    for (std::size_t at = 0; at < text.size(); ++at) {
        CAPTURE(at);
        for (const char c : {'0', '2', ' ', '\n', '\0', static_cast<char>(text[at] ^ 1),
                             static_cast<char>(text[at] ^ 0x80)}) {
            std::string damaged = text;
            damaged[at] = c;
            CHECK(code(damaged) == (damaged == text ? error_code::none : expected(damaged)));
        }
        const std::string cut = text.substr(0, at);
        CHECK(code(cut) == expected(cut));
        std::string without = text;
        without.erase(at, 1);
        CHECK(code(without) == expected(without));
    }
    CHECK(code("") == error_code::malformed_plan);
    CHECK(code(std::string(100000, 'x')) == error_code::malformed_plan);
    CHECK(code("xeinsum plan " + std::string(100000, '1')) == error_code::plan_version);
}

TEST_CASE("other versions and other elements are told apart from damage") {
    const std::string text = saved(chain_plan());
    const auto version =
        support::error_of([&] { static_cast<void>(loaded(with(text, "plan 1", "plan 2"))); });
    CHECK(version.code() == error_code::plan_version);
    CHECK(std::string(version.what()) ==
          "xeinsum: a saved plan has a format of another version: '2', and '1' is read");
    const auto element = support::error_of([&] { static_cast<void>(loaded<double>(text)); });
    CHECK(element.code() == error_code::plan_element);
    CHECK(std::string(element.what()) ==
          "xeinsum: a saved plan is for elements of another type: float32, and not float64");
}

TEST_CASE("numbers that somebody made up do no harm") {
    const std::vector<std::string> files{
        saved(chain_plan()),
        saved(make_plan<float>("b n (h d), b m (h d), m v -> b h n v",
                               {{2, 5, 12}, {1, 7, 12}, {7, 3}}, {{"h", 3}})),
        saved(
            make_plan<float>(xeinsum::equation::from_labels({{0, 1}, {1, 70}}), {{2, 5}, {5, 3}})),
    };
    for (const std::string& file : files) {
        const std::string body = body_of(file);
        for (std::size_t at = 0; at < body.size(); ++at) {
            const std::size_t end = body.find_first_not_of("0123456789", at);
            if (end == at || (at > 0 && std::string_view("0123456789").find(body[at - 1]) !=
                                            std::string_view::npos)) {
                continue;
            }
            for (const char* number :
                 {"0", "1", "-1", "7", "4294967295", "9223372036854775807", "-9223372036854775808",
                  "18446744073709551615", "99999999999999999999999"}) {
                const std::string forged =
                    body.substr(0, at) + number + body.substr(std::min(end, body.size()));
                CAPTURE(forged);
                CHECK_NOTHROW(
                    static_cast<void>(code_of([&] { static_cast<void>(loaded(sealed(forged))); })));
            }
        }
    }
}
