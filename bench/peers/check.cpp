// Cuts tasks into what the reference can do in a moment: an element of "ij,jk->ik" from a row and a
// column.
#include "check.hpp"

#include "xtensor_views.hpp"

#include <xeinsum/reference/einsum.hpp>

#if __has_include(<xtensor/views/xstrided_view.hpp>)
#include <xtensor/views/xstrided_view.hpp>
#else
#include <xtensor/xstrided_view.hpp>
#endif

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace bench {

namespace {

constexpr double most_products = 1e6;

template <class T>
bool all_agree(const task<T>& t, const T* result) {
    std::vector<xt::xarray<T>> operands;
    for (const auto& operand : t.operands()) {
        operands.emplace_back(view(operand.extents(), operand.data()));
    }
    const xt::xarray<T> expected = xeinsum::reference::einsum(t.equation(), operands);
    return std::equal(expected.storage().begin(), expected.storage().end(), result);
}

/// Whether the element at a position, one index for each label of the output, is right.
template <class T>
bool agrees_at(const task<T>& t, const std::map<char, std::size_t>& position, const T* result) {
    std::vector<xt::xarray<T>> slices;
    for (std::size_t o = 0; o < t.operands().size(); ++o) {
        xt::xstrided_slice_vector cuts;
        for (const char label : t.terms()[o]) {
            const auto at = position.find(label);
            if (at == position.end()) {
                cuts.emplace_back(xt::all());
            } else {
                cuts.emplace_back(xt::range(at->second, at->second + 1));
            }
        }
        const auto& operand = t.operands()[o];
        auto whole = view(operand.extents(), operand.data());
        slices.emplace_back(xt::strided_view(whole, cuts));
    }
    std::size_t offset = 0;
    for (const char label : t.output_term()) {
        offset = offset * t.extent(label) + position.at(label);
    }
    return xeinsum::reference::einsum(t.equation(), slices).storage()[0] == result[offset];
}

}  // namespace

template <class T>
bool agrees_with_reference(const task<T>& t, const T* result) {
    if (t.products() <= most_products) {
        return all_agree(t, result);
    }
    const double per_element = static_cast<double>(t.elements(t.summed()));
    const auto samples =
        static_cast<std::size_t>(std::clamp(most_products / per_element, 4.0, 200.0));
    std::minstd_rand random(11);
    for (std::size_t s = 0; s < samples; ++s) {
        std::map<char, std::size_t> position;
        for (const char label : t.output_term()) {
            position[label] = (static_cast<std::size_t>(random()) >> 8U) % t.extent(label);
        }
        if (!agrees_at(t, position, result)) {
            return false;
        }
        if (t.output_term().empty()) {
            break;
        }
    }
    return true;
}

template bool agrees_with_reference(const task<float>&, const float*);
template bool agrees_with_reference(const task<double>&, const double*);

}  // namespace bench
