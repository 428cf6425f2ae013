// The loops behind loop_nest: "ij,jk->ik" adds each sum over j to an element that starts as 0.
#include "loop_nest.hpp"

#include <algorithm>
#include <stdexcept>

namespace bench {

namespace {

/// The step of a label through a row-major array; a repeated label takes the diagonal.
std::size_t stride_of(char label, const std::string& term, const extent_map& extents) {
    std::size_t total = 0;
    std::size_t stride = 1;
    for (std::size_t a = term.size(); a-- > 0;) {
        total += term[a] == label ? stride : 0;
        stride *= extents.at(term[a]);
    }
    return total;
}

template <class T, std::size_t N>
T product(const std::array<const T*, N>& from, const std::array<std::size_t, 3>& strides,
          std::size_t i) {
    T p = from[0][i * strides[0]];
    for (std::size_t o = 1; o < N; ++o) {
        p *= from[o][i * strides[o]];
    }
    return p;
}

}  // namespace

template <class T>
loop_nest<T>::loop_nest(const std::vector<std::string>& terms, const std::string& output,
                        const extent_map& extents)
    : operand_count_(terms.size()) {
    if (terms.empty() || terms.size() > most_operands) {
        throw std::invalid_argument("loop_nest takes one to three operands");
    }
    std::string labels = output;
    for (const std::string& term : terms) {
        for (const char label : term) {
            if (labels.find(label) == std::string::npos) {
                labels += label;
            }
        }
    }
    for (const char label : labels) {
        loop l;
        l.extent = extents.at(label);
        for (std::size_t o = 0; o < terms.size(); ++o) {
            l.strides[o] = stride_of(label, terms[o], extents);
        }
        l.out_stride = stride_of(label, output, extents);
        out_elements_ *= l.out_stride == 0 ? 1 : l.extent;
        loops_.push_back(l);
    }
}

template <class T>
template <std::size_t N>
void loop_nest<T>::nest(std::size_t level, std::array<const T*, N> from, T* out) const {
    const loop& l = loops_[level];
    if (level + 1 < loops_.size()) {
        for (std::size_t i = 0; i < l.extent; ++i) {
            nest(level + 1, from, out);
            for (std::size_t o = 0; o < N; ++o) {
                from[o] += l.strides[o];
            }
            out += l.out_stride;
        }
    } else if (l.out_stride == 0) {
        T sum(0);
        for (std::size_t i = 0; i < l.extent; ++i) {
            sum += product(from, l.strides, i);
        }
        *out += sum;
    } else {
        for (std::size_t i = 0; i < l.extent; ++i) {
            out[i * l.out_stride] = product(from, l.strides, i);
        }
    }
}

template <class T>
template <std::size_t N>
void loop_nest<T>::start(const std::vector<const T*>& operands, T* out) const {
    std::array<const T*, N> from{};
    std::copy_n(operands.begin(), N, from.begin());
    if (loops_.back().out_stride == 0) {
        std::fill_n(out, out_elements_, T(0));
    }
    nest(0, from, out);
}

template <class T>
void loop_nest<T>::run(const std::vector<const T*>& operands, T* out) const {
    switch (operand_count_) {
        case 1: start<1>(operands, out); break;
        case 2: start<2>(operands, out); break;
        default: start<3>(operands, out);
    }
}

template class loop_nest<float>;
template class loop_nest<double>;

}  // namespace bench
