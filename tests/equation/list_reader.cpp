#include <xeinsum/equation/list_reader.hpp>

#include "../support/error_of.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using xeinsum::error_code;
using xeinsum::parsing::list_reader;

namespace {

list_reader reader(std::string_view text) {
    return {text, error_code::malformed_path, "this is a list"};
}

std::vector<int> numbers(std::string_view text) {
    list_reader in = reader(text);
    std::vector<int> out;
    in.list([&] { out.push_back(in.number<int>()); });
    in.end();
    return out;
}

template <class Read>
std::size_t refused_at(std::string_view text, Read read) {
    const auto e = support::error_of([&] {
        list_reader in = reader(text);
        static_cast<void>(read(in));
    });
    CHECK(e.code() == error_code::malformed_path);
    CHECK(std::string(e.what()).find("xeinsum: this is a list: ") == 0);
    return e.column();
}

}  // namespace

TEST_CASE("lists of numbers, as JSON and Python write them") {
    CHECK(numbers("[]").empty());
    CHECK(numbers(" [1, -2,3 ]\n") == std::vector<int>{1, -2, 3});
    CHECK(numbers("(7,)") == std::vector<int>{7});
    const auto read = [](list_reader& in) {
        std::size_t sum = 0;
        in.list([&] { sum += in.number<unsigned char>(); });
        in.end();
        return sum;
    };
    CHECK(refused_at("", read) == 1);
    CHECK(refused_at("  7", read) == 3);
    CHECK(refused_at("[1 2]", read) == 4);
    CHECK(refused_at("[1, 2", read) == 6);
    CHECK(refused_at("[1, 2)", read) == 6);
    CHECK(refused_at("[1, 256]", read) == 5);
    CHECK(refused_at("[1, -1]", read) == 5);
    CHECK(refused_at("[1,, 2]", read) == 4);
    CHECK(refused_at("[1] x", read) == 5);
}

TEST_CASE("lists of pairs may hold numbers of two types") {
    list_reader in = reader("[[1, -2], (3, 4000000000)]");
    CHECK((in.pairs<unsigned char, std::int64_t>("a number") ==
           std::vector<std::pair<unsigned char, std::int64_t>>{{1, -2}, {3, 4000000000}}));
    const auto read = [](list_reader& list) { return list.pairs<int, int>("a number"); };
    CHECK(refused_at("[[1, 2], [3]]", read) == 10);
    CHECK(refused_at("[[1, 2, 3]]", read) == 2);
    CHECK(refused_at("[1, 2]", read) == 2);
}

TEST_CASE("strings are quoted and read again") {
    for (const std::string& text : {std::string(), std::string("d_in"), std::string("\"'\\")}) {
        CHECK(reader(xeinsum::parsing::quoted(text)).string() == text);
    }
    CHECK(xeinsum::parsing::quoted("a\"b\\") == R"("a\"b\\")");
    CHECK(reader(" 'it is \"so\"'").string() == "it is \"so\"");
    const auto read = [](list_reader& in) { return in.string(); };
    CHECK(refused_at("k", read) == 1);
    CHECK(refused_at("\"k", read) == 3);
    CHECK(refused_at("\"k\\\"", read) == 5);
    CHECK(refused_at("\"k'", read) == 4);
    CHECK(refused_at("'\\", read) == 3);
}

TEST_CASE("words and characters") {
    list_reader in = reader("  fixed [7] ...");
    CHECK(in.word() == "fixed");
    CHECK(in.sees('['));
    CHECK_FALSE(in.take('('));
    const std::size_t begin = in.here();
    CHECK(in.take('['));
    in.back(begin);
    CHECK(in.word() == "[7]");
    CHECK_FALSE(in.take_all("...."));
    CHECK(in.take_all("..."));
    CHECK(in.word().empty());
    in.end();
}
