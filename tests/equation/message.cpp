#include <xeinsum/equation/message.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <string>

using xeinsum::error_code;
using xeinsum::problem;
using xeinsum::parsing::message;

TEST_CASE("extents name label, operands and axes") {
    problem p;
    p.code = error_code::extent_mismatch;
    p.column = 4;
    p.length = 1;
    p.first = {0, 1, 3};
    p.second = {1, 0, 2};
    CHECK(
        message(p, "ij,jk->ik") ==
        "xeinsum: one label has two extents, neither of them 1: label 'j': operand 0 has extent 3 "
        "on axis 1, operand 1 has extent 2 on axis 0\n"
        "  ij,jk->ik\n"
        "     ^");
}

TEST_CASE("the caret stands under the character, however many bytes came before") {
    problem p;
    p.code = error_code::bad_character;
    p.column = 2;
    p.length = 2;
    CHECK(message(p, "i\xCE\xB2") ==
          "xeinsum: a character that no equation holds: '\xCE\xB2'\n  i\xCE\xB2\n   ^");
    p.column = 4;
    p.length = 1;
    CHECK(message(p, "i\xCE\xB2%") ==
          "xeinsum: a character that no equation holds: '%'\n  i\xCE\xB2%\n    ^");
}

TEST_CASE("control characters are made visible") {
    problem p;
    p.code = error_code::bad_character;
    p.column = 3;
    p.length = 1;
    CHECK(message(p, "\ti\x01") ==
          "xeinsum: a character that no equation holds: '\\x01'\n  \\ti\\x01\n     ^");
}

TEST_CASE("counts, ranks and sizes") {
    problem p;
    p.expected = 2;
    p.found = 3;
    p.code = error_code::operand_count;
    CHECK(message(p, "i,i").find(": 2 in the equation, 3 given\n  i,i") != std::string::npos);
    p.code = error_code::rank_mismatch;
    p.second.array = 1;
    CHECK(message(p, "i,ij").find("operand 1 has rank 3, its term has 2 axes") !=
          std::string::npos);
    p.code = error_code::workspace_too_small;
    CHECK(message(p, "i").find("2 bytes are needed, 3 given") != std::string::npos);
    p.first.array = 1;
    CHECK(message(p, "i").find("the output overlaps operand 1, for which a run needs 2 bytes, 3 "
                               "given") != std::string::npos);
    p.code = error_code::no_such_slice;
    CHECK(message(p, "i").find("slice 3 of 2, counted from 0") != std::string::npos);
    p.code = error_code::scale_not_held;
    p.reason = "alpha";
    CHECK(message(p, "i").find("cannot hold a scale: alpha") != std::string::npos);
    p.first = {};
    p.reason = nullptr;
    p.code = error_code::lowering_not_applicable;
    p.reason = "because";
    CHECK(message(p, "i").find("cannot express this equation: because\n") != std::string::npos);
}

TEST_CASE("shapes are shown whole, and the label where they differ") {
    const std::array<std::int64_t, 2> expected{4, 2};
    const std::array<std::int64_t, 2> found{4, 3};
    problem p;
    p.code = error_code::output_shape;
    p.column = 4;
    p.length = 1;
    p.shape = found;
    p.expected_shape = expected;
    p.second.axis = 1;
    p.found = 3;
    p.expected = 2;
    CHECK(message(p, "->ik") ==
          "xeinsum: the output array has another shape than the result: it has shape (4, 3), the "
          "result has (4, 2): label 'k' has extent 3 and not 2 on axis 1\n  ->ik\n     ^");
    p.code = error_code::operand_shape;
    p.second = {4, 1, -1};
    CHECK(message(p, "->ik").find("operand 4 has shape (4, 3), planned was (4, 2): label 'k' has "
                                  "extent 3 and not 2 on axis 1\n") != std::string::npos);
    p.second = {};
    p.shape = {};
    p.found = 0;
    CHECK(message(p, "->ik").find("has shape (), planned was (4, 2): rank 0 and not 2\n") !=
          std::string::npos);
}

TEST_CASE("a note is the last line") {
    problem p;
    p.code = error_code::missing_arrow;
    CHECK(message(p, "a b", "(read as names)").ends_with("\n  a b\n  (read as names)"));
}
