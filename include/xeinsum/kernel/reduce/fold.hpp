// Minima, maxima and products along loops: for "b (h h2) (w w2) -> b h w" a block of neighbouring
// results walks over the windows together.
#pragma once

#include <xeinsum/kernel/loop_nest.hpp>
#include <xeinsum/kernel/permute/arrange.hpp>
#include <xeinsum/kernel/reduce/nest_shapes.hpp>
#include <xeinsum/kernel/simd/element.hpp>
#include <xeinsum/kernel/simd/simd.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace xeinsum::kernel {

/// The least element; NaN if any is.
template <class T>
struct minimum {
    using value = T;
    [[nodiscard]] static value start(const T& element) { return element; }
    template <class Simd>
    [[nodiscard]] static typename Simd::type join(const typename Simd::type& a,
                                                  const typename Simd::type& b) {
        return Simd::least(a, b);
    }
};

/// The greatest element; NaN if any is.
template <class T>
struct maximum {
    using value = T;
    [[nodiscard]] static value start(const T& element) { return element; }
    template <class Simd>
    [[nodiscard]] static typename Simd::type join(const typename Simd::type& a,
                                                  const typename Simd::type& b) {
        return Simd::greatest(a, b);
    }
};

/// The sum, formed as einsum forms it.
template <class T>
struct summed {
    using value = compute_t<T>;
    [[nodiscard]] static value start(const T&) { return value(0); }
    template <class Simd>
    [[nodiscard]] static typename Simd::type join(const typename Simd::type& a,
                                                  const typename Simd::type& b) {
        return Simd::add(a, b);
    }
};

/// The product, formed in the type in which sums of T are: integers wrap, narrow types are widened.
template <class T>
struct multiplied {
    using value = compute_t<T>;
    [[nodiscard]] static value start(const T&) { return value(1); }
    template <class Simd>
    [[nodiscard]] static typename Simd::type join(const typename Simd::type& a,
                                                  const typename Simd::type& b) {
        return Simd::mul(a, b);
    }
};

/// Orders the rows of a nest with one input. A block runs along results that lie side by side, at
/// best with inputs that do, or along terms that do where there are many.
[[nodiscard]] constexpr vector_loop arrange_fold(arrangement& a) noexcept {
    std::size_t output = a.count;
    std::size_t contracted = a.count;
    for (std::size_t m = 0; m < a.count; ++m) {
        if (m < a.output_count && a.stride(m, 0) == 1) {
            output = m;
        } else if (m >= a.output_count && a.stride(m, 1) == 1) {
            contracted = m;
        }
    }
    vector_choice vectors;
    if (contracted < a.count && a.extent(contracted) >= shortest_line) {
        vectors = {vector_loop::contracted, contracted};
    } else if (output < a.count) {
        vectors = {vector_loop::output, output};
    }
    arrange_around(vectors, a);
    return vectors.kind;
}

/// Folds a nest with one input. What has no registers runs in blocks of elements, whose loops the
/// compiler turns into vectors where it has some.
template <class T, class Arch, class Op>
class folder {
public:
    folder(const loop_nest& nest, const T* in, T* out) : nest_(nest), in_(in), out_(out) {}

    void run(vector_loop kind) const {
        const loops& over = nest_.output;
        const bool blocks = kind == vector_loop::output;
        const loops outer = over.first(over.count - (blocks ? 1 : 0));
        odometer<2> at(outer, {0, 1});
        do {
            const T* from = in_ + at.offset(1);
            T* to = out_ + at.offset(0);
            if (blocks) {
                results(from, to, over.extent(over.count - 1), over.stride(over.count - 1, 1));
            } else if (kind == vector_loop::contracted) {
                *to = static_cast<T>(line(from));
            } else {
                results(from, to, 1, 1);
            }
        } while (at.next());
    }

private:
    using value = typename Op::value;
    using one = simd<value, scalar_arch>;
    static constexpr bool vectors = std::is_same_v<T, value> && has_vectors<T, Arch>();
    using many = std::conditional_t<vectors, simd<value, Arch>, one>;
    static constexpr auto lanes = static_cast<std::int64_t>(many::lanes);
    static constexpr std::int64_t most = vectors ? 8 : 32;
    static constexpr std::int64_t panel = std::is_trivially_copyable_v<value> ? 1024 : 1;
    static constexpr std::int64_t together = 4;  // rows of terms

    template <class Simd, std::int64_t Stride>
    [[nodiscard]] static typename Simd::type load(const T* from, std::int64_t stride) {
        if constexpr (Simd::lanes == 1) {
            static_cast<void>(stride);
            return static_cast<value>(*from);
        } else if constexpr (Stride == 1) {
            return Simd::load(from);
        } else if constexpr (Stride == 2) {
            return Simd::load_every_second(from);
        } else {
            T lane[Simd::lanes];
            for (std::size_t l = 0; l < Simd::lanes; ++l) {
                lane[l] = from[static_cast<std::int64_t>(l) * stride];
            }
            return Simd::load(lane);
        }
    }

    /// count results side by side. The terms of a panel of them are read row by row, as they lie,
    /// and joined in the cache.
    void results(const T* from, T* to, std::int64_t count, std::int64_t stride) const {
        value joined[panel];
        for (std::int64_t i = 0; i < count; i += panel) {
            const std::int64_t width = std::min(panel, count - i);
            join_terms(from + i * stride, joined, width, stride);
            for (std::int64_t l = 0; l < width; ++l) {
                to[i + l] = static_cast<T>(joined[l]);
            }
        }
    }

    void join_terms(const T* from, value* joined, std::int64_t width, std::int64_t stride) const {
        for (std::int64_t l = 0; l < width; ++l) {
            joined[l] = Op::start(from[l * stride]);
        }
        const loops& over = nest_.contracted;
        if (over.count == 0) {
            join_rows(from, 0, 1, joined, width, stride);
            return;
        }
        const std::int64_t rows = over.extent(over.count - 1);
        const std::int64_t next = over.stride(over.count - 1, 1);
        odometer<1> at(over.first(over.count - 1), {1});
        do {
            join_rows(from + at.offset(0), next, rows, joined, width, stride);
        } while (at.next());
    }

    /// Rows of terms, next apart, a few at a time.
    static void join_rows(const T* from, std::int64_t next, std::int64_t rows, value* joined,
                          std::int64_t width, std::int64_t stride) {
        const auto join = [&]<std::int64_t Stride>() {
            std::int64_t r = 0;
            for (; r + together <= rows; r += together) {
                join_rows<together, Stride>(from + r * next, next, joined, width, stride);
            }
            for (; r < rows; ++r) {
                join_rows<1, Stride>(from + r * next, next, joined, width, stride);
            }
        };
        if (stride == 1) {
            join.template operator()<1>();
        } else if (stride == 2) {
            join.template operator()<2>();
        } else {
            join.template operator()<0>();
        }
    }

    /// Count terms of each result; Stride is 0 or what stride is.
    template <std::int64_t Count, std::int64_t Stride>
    static void join_rows(const T* from, std::int64_t next, value* joined, std::int64_t width,
                          std::int64_t any_stride) {
        const std::int64_t stride = Stride == 0 ? any_stride : Stride;
        std::int64_t l = 0;
        if constexpr (vectors) {
            for (; l + lanes <= width; l += lanes) {
                auto sum = many::load(joined + l);
                for (std::int64_t r = 0; r < Count; ++r) {
                    sum = Op::template join<many>(
                        sum, load<many, Stride>(from + r * next + l * stride, stride));
                }
                many::store(joined + l, sum);
            }
        }
        for (; l < width; ++l) {
            value sum = joined[l];
            for (std::int64_t r = 0; r < Count; ++r) {
                sum = Op::template join<one>(sum, static_cast<value>(from[r * next + l * stride]));
            }
            joined[l] = sum;
        }
    }

    /// One result from terms side by side along the last loop.
    [[nodiscard]] value line(const T* from) const {
        const loops& over = nest_.contracted;
        return over.extent(over.count - 1) >= most * lanes ? line<most>(from)
                                                           : line<most / 4>(from);
    }

    template <std::int64_t Registers>
    [[nodiscard]] value line(const T* from) const {
        const loops& over = nest_.contracted;
        const std::int64_t extent = over.extent(over.count - 1);
        constexpr std::int64_t step = Registers * lanes;
        typename many::type joined[Registers];
        for (std::int64_t r = 0; r < Registers; ++r) {
            joined[r] = many::set(Op::start(*from));
        }
        value rest = Op::start(*from);
        odometer<1> at(over.first(over.count - 1), {1});
        do {
            const T* term = from + at.offset(0);
            std::int64_t i = 0;
            for (; i + step <= extent; i += step) {
                for (std::int64_t r = 0; r < Registers; ++r) {
                    joined[r] =
                        Op::template join<many>(joined[r], load<many, 1>(term + i + r * lanes, 1));
                }
            }
            for (; i < extent; ++i) {
                rest = Op::template join<one>(rest, static_cast<value>(term[i]));
            }
        } while (at.next());
        for (std::int64_t r = 0; r < Registers; ++r) {
            if constexpr (many::lanes == 1) {
                rest = Op::template join<one>(rest, joined[r]);
            } else {
                T lane[many::lanes];
                many::store(lane, joined[r]);
                for (const T& x : lane) {
                    rest = Op::template join<one>(rest, x);
                }
            }
        }
        return rest;
    }

    const loop_nest& nest_;
    const T* in_;
    T* out_;
};

/// out = the elements of in along the contracted loops, joined by Op. The loops are in the order
/// that arrange_fold() gave them. in does not overlap out; no extent is 0.
template <class T, class Arch, class Op>
void fold(const loop_nest& nest, vector_loop kind, const T* in, T* out) {
    folder<T, Arch, Op>(nest, in, out).run(kind);
}

}  // namespace xeinsum::kernel
