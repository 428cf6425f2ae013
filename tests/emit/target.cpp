#include <xeinsum/emit/target.hpp>

#include <doctest/doctest.h>

#include <complex>
#include <cstdint>

using xeinsum::emission::element_of;
using xeinsum::emission::operand_name;

TEST_CASE("element types have the targets' names") {
    CHECK(element_of<float>().onnx == "float");
    CHECK(element_of<std::complex<double>>().cpp == "std::complex<double>");
    CHECK(element_of<std::complex<double>>().complex);
    CHECK(element_of<std::int32_t>().onnx == "int32");
    CHECK(element_of<std::uint8_t>().cpp == "std::uint8_t");
    CHECK(element_of<std::int64_t>().integral);
    CHECK(element_of<std::int64_t>().bytes == 8);
}

TEST_CASE("operands are letters as far as these reach") {
    CHECK(operand_name(0) == "a");
    CHECK(operand_name(25) == "z");
    CHECK(operand_name(26) == "x26");
}
