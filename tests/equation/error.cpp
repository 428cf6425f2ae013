#include <xeinsum/equation/error.hpp>

#include "../support/both.hpp"

#include <cstddef>
#include <set>
#include <string>

TEST_CASE("every error code has a sentence of its own") {
    std::set<std::string> sentences;
    const auto last = static_cast<int>(xeinsum::error_code::unknown_cpu);
    for (int code = 0; code <= last; ++code) {
        sentences.emplace(describe(static_cast<xeinsum::error_code>(code)));
    }
    CHECK(sentences.size() == static_cast<std::size_t>(last) + 1);
    CHECK(sentences.count("unknown error") == 0);
}

TEST_CASE("a problem without a code is none") {
    support::check_both([] { return xeinsum::problem{}.ok(); });
    support::check_both([] {
        xeinsum::problem p;
        p.code = xeinsum::error_code::missing_arrow;
        return !p.ok();
    });
}

TEST_CASE("an einsum_error is an invalid_argument with code and column") {
    const auto refuse = [] {
        throw xeinsum::einsum_error(xeinsum::error_code::two_ellipses, 4, "words");
    };
    CHECK_THROWS_AS(refuse(), std::invalid_argument);
    try {
        refuse();
    } catch (const xeinsum::einsum_error& e) {
        CHECK(e.code() == xeinsum::error_code::two_ellipses);
        CHECK(e.column() == 4);
        CHECK(std::string(e.what()) == "words");
    }
}

TEST_CASE("a handler is told before einsum_error is thrown, and may throw itself") {
    static std::string told;
    const auto refuse = [] { xeinsum::refuse_call(xeinsum::error_code::bad_option, 3, "words"); };
    const xeinsum::error_handler tells = [](xeinsum::error_code code, std::size_t column,
                                            const char* message) {
        told =
            std::to_string(static_cast<int>(code)) + ' ' + std::to_string(column) + ' ' + message;
    };
    const xeinsum::error_handler throws = [](xeinsum::error_code, std::size_t, const char*) {
        throw 7;
    };
    CHECK((xeinsum::set_error_handler(tells) == nullptr));
    CHECK_THROWS_AS(refuse(), xeinsum::einsum_error);
    CHECK(told == std::to_string(static_cast<int>(xeinsum::error_code::bad_option)) + " 3 words");
    CHECK((xeinsum::set_error_handler(throws) == tells));
    CHECK_THROWS_AS(refuse(), int);
    CHECK((xeinsum::set_error_handler(nullptr) == throws));
    CHECK_THROWS_AS(refuse(), xeinsum::einsum_error);
}
