// A view of constant elements is an operand of "i->i" and no output.
#include <xeinsum/einsum.hpp>

void call(const float* a) {
    xeinsum::einsum_to<"i->i">(xeinsum::view{a, {2}}, xeinsum::view{a, {2}});
}
