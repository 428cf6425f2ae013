// What a check prints; see checks.hpp.
#include "checks.hpp"

#include <cstdlib>
#include <iostream>

void example::checks::report(std::string_view what, double error_over_bound) {
    const bool right = error_over_bound <= 1;
    failed_ = failed_ || !right;
    (right ? std::cout : std::cerr)
        << (right ? "  right: " : "  WRONG: ") << what << ", worst error " << error_over_bound
        << " of what rounding allows\n";
}

void example::checks::require(std::string_view what, bool right) {
    failed_ = failed_ || !right;
    (right ? std::cout : std::cerr) << (right ? "  right: " : "  WRONG: ") << what << '\n';
}

int example::checks::exit_code() const {
    return failed_ ? EXIT_FAILURE : EXIT_SUCCESS;
}
