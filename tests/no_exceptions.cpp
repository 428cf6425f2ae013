// A program without exceptions and without run-time type information: calls run, and a wrong one,
// "ij,jk->il", ends the program with its message.
#include <xeinsum/xeinsum.hpp>

#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>

int main() {
    const xt::xtensor<float, 2> a{{1, 2, 3}, {4, 5, 6}};
    const xt::xtensor<float, 2> b{{1, 0}, {0, 2}, {3, 0}};
    const xt::xtensor<float, 2> product{{10, 4}, {22, 10}};
    if (xeinsum::einsum<"ij,jk->ik">(a, b) != product ||
        xeinsum::einsum("ij,jk->ik", a, b) != product) {
        return EXIT_FAILURE;
    }
    // The test system takes a signal for a crash, whatever is written.
    std::signal(SIGABRT, [](int) {
        std::fputs("aborted\n", stderr);
        std::_Exit(EXIT_FAILURE);
    });
    // A handler that returns is told of the error, no more.
    xeinsum::set_error_handler([](xeinsum::error_code, std::size_t column, const char*) {
        std::fprintf(stderr, "told: %zu\n", column);
    });
    static_cast<void>(xeinsum::einsum("ij,jk->il", a, b));
    std::fputs("not refused\n", stderr);
}
