#include <xeinsum/thread_backend.hpp>

#include <xeinsum/plan/parallel_for.hpp>

#include <doctest/doctest.h>

// Built for every backend that is found; tests/install asks the package for them.
TEST_CASE("the backend has a name that goes with what it does") {
    static_assert(xeinsum::thread_backend() == XEINSUM_TEST_BACKEND);
    CHECK((xeinsum::thread_backend() != "none") == xeinsum::lowerings::runs_in_parallel({}));
}
