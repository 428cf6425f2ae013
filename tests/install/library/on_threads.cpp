// Counts the threads of a program whose "ij,jk->ik" may use two, and prints what its plan says of
// it.
#include <xeinsum/compiled.hpp>

#include <filesystem>
#include <iostream>
#include <iterator>

int main() {
    const xt::xtensor<float, 2> a = xt::ones<float>({300, 310});
    const xt::xtensor<float, 2> b = 2 * xt::ones<float>({310, 320});
    const auto y = xeinsum::einsum<"ij,jk->ik">(xeinsum::options{.threads = 2}, a, b);
    const std::filesystem::directory_iterator threads("/proc/self/task");
    std::cout << xeinsum::make_plan<float>("ij,jk->ik", {{300, 310}, {310, 320}}, {.threads = 2})
              << xeinsum::thread_backend() << ": " << std::distance(begin(threads), end(threads))
              << " threads\n";
    return y == 620 * xt::ones<float>({300, 320}) ? 0 : 1;
}
