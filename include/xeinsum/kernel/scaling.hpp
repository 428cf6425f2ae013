// out = alpha * value + beta * out, where beta = 0 means that out is not read: the output of
// "ij,jk->ik" may hold NaN before.
#pragma once

#include <xeinsum/kernel/simd/element.hpp>
#include <xeinsum/kernel/simd/numbers.hpp>

#include <cstddef>
#include <cstdint>

namespace xeinsum::kernel {

/// The last thing that happens to every element of a result. T is the arrays' element type; the
/// arithmetic is that of compute_t<T>.
template <class T>
class scaling {
public:
    using compute = compute_t<T>;

    scaling() : scaling(compute(1), compute(0)) {}
    scaling(const compute& alpha, const compute& beta)
        : scaling(alpha, beta, !same(alpha, compute(1)), !same(beta, compute(0))) {}
    /// Of numbers of which is known whether alpha may differ from 1 and beta from 0.
    scaling(const compute& alpha, const compute& beta, bool scales, bool adds)
        : alpha_(alpha), beta_(beta), scales_(scales), adds_(adds) {}

    [[nodiscard]] bool adds() const { return adds_; }
    [[nodiscard]] bool scales() const { return scales_; }
    [[nodiscard]] bool is_identity() const { return !scales_ && !adds_; }

    /// The same scaling of a result that already has the first part of a sum.
    [[nodiscard]] scaling accumulating() const { return scaling(alpha_, compute(1)); }

    template <class Arch>
    void put(T& out, const compute& value) const {
        const compute scaled = scales_ ? scalar_mul(alpha_, value) : value;
        out = static_cast<T>(adds_ ? scalar_mul_add<Arch>(beta_, static_cast<compute>(out), scaled)
                                   : scaled);
    }

    /// alpha * value.
    template <class Simd>
    [[nodiscard]] typename Simd::type scaled(const typename Simd::type& value) const {
        return scales_ ? Simd::mul(Simd::set(alpha_), value) : value;
    }
    /// What is there times beta, plus a value that is scaled already.
    template <class Simd>
    [[nodiscard]] typename Simd::type added(const T* out, const typename Simd::type& scaled) const {
        return Simd::mul_add(Simd::set(beta_), Simd::load(out), scaled);
    }
    template <class Simd>
    void put_register(T* out, const typename Simd::type& value) const {
        const auto scaled = this->scaled<Simd>(value);
        Simd::store(out, adds_ ? added<Simd>(out, scaled) : scaled);
    }
    template <class Simd>
    void put_part(T* out, const typename Simd::type& value, std::size_t count) const {
        const auto scaled = this->scaled<Simd>(value);
        Simd::store_part(
            out,
            adds_ ? Simd::mul_add(Simd::set(beta_), Simd::load_part(out, count), scaled) : scaled,
            count);
    }

    /// Puts the lanes of a register behind the first done ones, which are written already.
    template <class Simd, class Arch>
    void put_behind(T* out, const typename Simd::type& value, std::int64_t done) const {
        constexpr auto lanes = static_cast<std::int64_t>(Simd::lanes);
        T lane[Simd::lanes];
        Simd::store(lane, value);
        for (std::int64_t l = done; l < lanes; ++l) {
            put<Arch>(out[l], lane[l]);
        }
    }

private:
    [[nodiscard]] static bool same(const compute& a, const compute& b) {
        if constexpr (requires { a == b; }) {
            return a == b;
        } else {
            return static_cast<bool>(a) == static_cast<bool>(b);
        }
    }

    compute alpha_;
    compute beta_;
    bool scales_;
    bool adds_;
};

}  // namespace xeinsum::kernel
