// A user's library, which calls einsum_to<"ij,jk->ik">.
#include "product.hpp"

#include <xeinsum/compiled.hpp>

#include <array>
#include <cstddef>

std::vector<float> product(const std::vector<float>& a, const std::vector<float>& b, int inner) {
    const auto terms = static_cast<std::size_t>(inner);
    const std::size_t rows = a.size() / terms, columns = b.size() / terms;
    std::vector<float> result(rows * columns);
    auto out = xt::adapt(result, std::array{rows, columns});
    xeinsum::einsum_to<"ij,jk->ik">(out, xt::adapt(a, std::array{rows, terms}),
                                    xt::adapt(b, std::array{terms, columns}));
    return result;
}
