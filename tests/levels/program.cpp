// A program for every processor: runs "ij,jk->ik" and other calls of each kind on each element type
// of the library, compares them with the reference and prints which kernels they ran.
#include <xeinsum/compiled.hpp>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <iostream>
#include <string>
#include <vector>

namespace {

/// Small integers, different from their neighbours, so that sums are exact.
template <class T>
xt::xarray<T> numbers(const std::vector<std::size_t>& shape, std::size_t first) {
    auto a = xt::xarray<T>::from_shape(shape);
    for (std::size_t i = 0; i < a.size(); ++i) {
        a.storage()[i] = static_cast<T>(static_cast<int>((i * 7 + first) % 11) - 5);
    }
    return a;
}

int failures = 0;

void check(bool right, const std::string& what) {
    if (!right) {
        ++failures;
        std::cout << "wrong: " << what << '\n';
    }
}

template <class T>
void run_all() {
    struct call {
        const char* equation;
        std::vector<std::vector<std::size_t>> shapes;
    };
    for (const call& c : std::vector<call>{
             {"ij,jk->ik", {{2, 3}, {3, 4}}},
             {"ij,jk->ik", {{70, 90}, {90, 110}}},
             {"ij,kj->ki", {{5, 700}, {31, 700}}},
             {"nctw,cd->ndtw", {{2, 6, 9, 10}, {6, 7}}},
             {"bij,bjk->bik", {{5, 6, 7}, {5, 7, 9}}},
             {"ijb,jkb->ikb", {{3, 4, 50}, {4, 5, 50}}},
             {"ij,j->i", {{90, 130}, {130}}},
             {"i,j->ij", {{41}, {67}}},
             {"bchw,bchw->bc", {{2, 3, 8, 9}, {2, 3, 8, 9}}},
             {"abc,abcf->cf", {{3, 4, 5}, {3, 4, 5, 37}}},
             {"ij->ji", {{70, 45}}},
             {"iij->j", {{9, 9, 20}}},
             {"ij,jk,kl->il", {{7, 8}, {8, 9}, {9, 10}}},
         }) {
        const std::string text = c.equation;
        std::vector<xt::xarray<T>> operands;
        for (std::size_t i = 0; i < c.shapes.size(); ++i) {
            operands.push_back(numbers<T>(c.shapes[i], 3 * i));
        }
        check(xeinsum::einsum(text, operands) == xeinsum::reference::einsum(text, operands), text);
    }
    const xt::xtensor<T, 2> a = numbers<T>({3, 4}, 1);
    const xt::xtensor<T, 2> b = numbers<T>({4, 5}, 2);
    check(xeinsum::einsum<"ij,jk->ik">(a, b) == xeinsum::reference::einsum("ij,jk->ik", a, b),
          "an equation that the compiler knows");
    const auto plan = xeinsum::make_plan<T>("ij,jk->ik", {{60, 50}, {50, 70}});
    const auto weights = numbers<T>({50, 70}, 4), x = numbers<T>({60, 50}, 5);
    const auto bound = plan.bind(1, weights);
    auto memory = bound.make_workspace();
    auto out = xt::xarray<T>::from_shape({60, 70});
    bound.run(out, memory, x);
    check(out == xeinsum::reference::einsum("ij,jk->ik", x, weights), "a bound plan");
    check(xeinsum::reduce("i j -> j", "prod", a)(2) == a(0, 2) * a(1, 2) * a(2, 2), "a product");
}

}  // namespace

int main() {
    try {
        std::cout << "cpu: " << xeinsum::cpu() << '\n';
        run_all<float>();
        run_all<double>();
        run_all<std::complex<float>>();
        run_all<std::complex<double>>();
        run_all<std::int32_t>();
        run_all<std::int64_t>();
    } catch (const std::exception& e) {
        std::cout << e.what() << '\n';
        return 1;
    }
    return failures == 0 ? 0 : 1;
}
