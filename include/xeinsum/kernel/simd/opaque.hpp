// An address that the compiler takes as it comes: it neither knows where a row of "ij,jk->ik"
// began, nor reads the address together with what lies beside it.
#pragma once

namespace xeinsum::kernel {

/// The same address, in a register of its own, whose origin the compiler does not know.
template <class P>
[[nodiscard, gnu::always_inline]] inline P* opaque(P* address) noexcept {
    asm("" : "+r"(address));
    return address;
}

}  // namespace xeinsum::kernel
