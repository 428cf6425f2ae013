#include <xeinsum/equation/label_index.hpp>

#include "../support/shared_equations.hpp"

#include <xeinsum/equation/parser.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <string>
#include <vector>

using xeinsum::error_code;
using xeinsum::label_index;

TEST_CASE("labels are found among thousands, those with the same hash too") {
    label_index index;
    CHECK(!index.in_use());
    for (std::size_t id = 0; id < 5000; ++id) {
        index.add(id / 3 * 64);  // three labels for each hash
    }
    CHECK(index.in_use());
    bool right = true;
    for (std::int32_t id = 0; id < 5000; ++id) {
        const auto hash = static_cast<std::size_t>(id) / 3 * 64;
        right = right && index.find(hash, -2, [&](auto other) { return other == id; }) == id &&
                index.find(hash, -2, [](auto) { return false; }) == -2;
    }
    CHECK(right);
    index.put_in_output(4321);
    CHECK(index.is_in_output(4321));
    CHECK(!index.is_in_output(4320));
}

namespace {

std::string names(int first, int last) {
    std::string text;
    for (int i = first; i < last; ++i) {
        text += " axis_" + std::to_string(i);
    }
    return text;
}

std::string outcome(const std::string& text, xeinsum::call_kind kind) {
    xeinsum::equation eq;
    const auto p = xeinsum::parsing::read_into(eq, text, xeinsum::notation::grouped, kind);
    return p.ok() ? "" : text.substr(p.column - 1, p.length);
}

}  // namespace

TEST_CASE("equations with many labels are read as those with few") {
    using kind = xeinsum::call_kind;
    for (const int n : {31, 32, 33, 34, 500}) {
        CAPTURE(n);
        const std::string all = names(0, n);
        const std::string last = "axis_" + std::to_string(n - 1);
        const auto eq = xeinsum::parse(all + "," + all + " -> " + last + " axis_0");
        CHECK(eq.label_count() == static_cast<std::size_t>(n));
        bool same = true;
        for (std::size_t i = 0; i < eq.label_count(); ++i) {
            same = same && eq.term(1)[i].id == eq.term(0)[i].id;
        }
        CHECK(same);
        CHECK(eq.output()[0].id == n - 1);
        CHECK(eq.output()[1].id == 0);
        CHECK(outcome(all + " -> axis_3 " + last + " axis_3", kind::einsum) == "axis_3");
        CHECK(outcome(all + " -> axis_3 axis_", kind::einsum) == "axis_");
        CHECK(outcome(all + " ... -> ..." + all, kind::rearrange).empty());
        CHECK(outcome(all + " -> " + names(0, n - 1), kind::rearrange) == last);
        CHECK(outcome(all + " axis_7 -> axis_7", kind::reduce) == "axis_7");
        // New labels of the output, among them the one that makes them many.
        CHECK(outcome("axis_0 -> 7" + all, kind::repeat).empty());
        CHECK(outcome("axis_0 -> 7" + all + " axis_0", kind::repeat) == "axis_0");
        CHECK(outcome("axis_0 -> 7" + all + " " + last, kind::repeat) == last);
    }
    std::vector<std::int64_t> labels;
    for (std::int64_t i = 0; i < 400; ++i) {
        labels.push_back(1000 - 5 * i);
    }
    const auto eq = xeinsum::equation::from_labels({labels, labels}, {{-5, 1000}});
    CHECK(eq.label_count() == 400);
    CHECK(eq.term(1)[399].id == 399);
    CHECK(eq.output()[0].id == 201);
}

TEST_CASE("the time to read an equation grows with its length") {
    const auto time = [](int n) {
        const std::string text = names(0, n) + "," + names(0, n) + " ->" + names(0, n);
        double best = 1e9;
        for (int i = 0; i < 3; ++i) {
            const std::clock_t begin = std::clock();
            CHECK(xeinsum::parse(text).label_count() == static_cast<std::size_t>(n));
            best = std::min(best, static_cast<double>(std::clock() - begin));
        }
        return best;
    };
    // 16 times as many take some 20 times as long; comparing all pairs, 170 times.
    CHECK(time(16000) < 80 * time(1000));
}
