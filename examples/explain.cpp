// A command-line tool that tells how an equation will be evaluated: explain "nkctv,kvw->nctw"
// 8,3,64,150,25 3,25,25 prints the classes of the labels, the plan and what it is predicted to
// cost.
#include "explain_svg.hpp"
#include "explain_times.hpp"

#include <xeinsum/compiled.hpp>
#include <xeinsum/plan.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <exception>
#include <fstream>
#include <iostream>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace {

constexpr int success = 0, wrong_equation = 1, wrong_usage = 2;

constexpr std::string_view usage =
    R"(usage: explain EQUATION SHAPE... [--lowering NAME] [--element TYPE] [--threads N] [--measure]
               [--search SECONDS] [--svg FILE]

  EQUATION   as in einsum: "nctw,cd->ndtw", or "b l d_in, d_in n -> b l d_in n"
  SHAPE      one for each operand: extents with commas between them, such as 8,64,150,25;
             - or scalar for an operand without axes
  --lowering automatic (the default), gemm, broadcast_multiply_reduce, depthwise_convolution
  --element  float (the default), double
  --threads  that a run may use; 1 is the default
  --measure  runs the plan of every lowering and prints its time beside the predicted one
  --search   tries orders of contraction at random for so long, for three operands or more, and
             takes the best
  --svg      writes the plan as a picture, too
  --help     this text

Exits with 1 where the equation is wrong or does not fit the shapes, with 2 where the call is.
)";

struct usage_error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

[[noreturn]] void refuse(std::string_view what, std::string_view text) {
    std::string message(what);
    message += ": ";
    message += text;
    throw usage_error(message);
}

using shape = std::vector<std::size_t>;

/// "2,3,4" as {2, 3, 4}.
shape parse_shape(std::string_view text) {
    shape extents;
    if (text == "-" || text == "scalar") {
        return extents;
    }
    const char* at = text.data();
    const char* const end = at + text.size();
    for (;;) {
        std::size_t extent = 0;
        const auto [next, error] = std::from_chars(at, end, extent);
        if (error != std::errc() || (next != end && *next != ',')) {
            refuse("not a shape", text);
        }
        extents.push_back(extent);
        if (next == end) {
            return extents;
        }
        at = next + 1;
    }
}

unsigned parse_count(std::string_view text) {
    unsigned count = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
    if (error != std::errc() || end != text.data() + text.size() || count == 0) {
        refuse("not a number of threads", text);
    }
    return count;
}

double parse_seconds(std::string_view text) {
    double seconds = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
    if (error != std::errc() || end != text.data() + text.size() ||
        !(seconds > 0 && std::isfinite(seconds))) {
        refuse("not a time above 0", text);
    }
    return seconds;
}

xeinsum::lowering parse_lowering(std::string_view text) {
    if (text == name(xeinsum::lowering::automatic)) {
        return xeinsum::lowering::automatic;
    }
    const auto found =
        std::find_if(xeinsum::lowerings_in_order.begin(), xeinsum::lowerings_in_order.end(),
                     [&](xeinsum::lowering l) { return name(l) == text; });
    if (found == xeinsum::lowerings_in_order.end()) {
        refuse("not a lowering", text);
    }
    return *found;
}

struct request {
    std::string_view equation{};
    std::vector<shape> shapes{};
    xeinsum::options options{};
    std::string_view element = "float";
    std::string svg{};
    bool measure = false;
    bool help = false;
};

request parse_arguments(const std::vector<std::string_view>& arguments) {
    request r;
    bool has_equation = false;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string_view argument = arguments[i];
        const auto value = [&] {
            if (i + 1 == arguments.size()) {
                refuse("an option without its value", argument);
            }
            return arguments[++i];
        };
        if (argument == "--help") {
            r.help = true;
        } else if (argument == "--measure") {
            r.measure = true;
        } else if (argument == "--search") {
            r.options.path = xeinsum::path_strategy::random_greedy;
            r.options.path_restarts = std::numeric_limits<std::size_t>::max();
            r.options.path_seconds = parse_seconds(value());
        } else if (argument == "--svg") {
            r.svg = value();
        } else if (argument == "--lowering") {
            r.options.lowering = parse_lowering(value());
        } else if (argument == "--threads") {
            r.options.threads = parse_count(value());
        } else if (argument == "--element") {
            r.element = value();
            if (r.element != "float" && r.element != "double") {
                refuse("not an element type", r.element);
            }
        } else if (argument.starts_with("--")) {
            refuse("not an option", argument);
        } else if (!has_equation) {
            r.equation = argument;
            has_equation = true;
        } else {
            r.shapes.push_back(parse_shape(argument));
        }
    }
    if (!r.help && !has_equation) {
        throw usage_error("no equation");
    }
    return r;
}

template <class T>
void explain(const request& r) {
    const auto plan = example::watched_plan<T>(r.equation, r.shapes, r.options);
    std::cout << plan << "summary\n  result shape  ";
    const char* separator = "";
    for (const auto extent : plan.output_extents()) {
        std::cout << separator << extent;
        separator = ",";
    }
    std::cout << (plan.output_extents().empty() ? "scalar" : "") << "\n  element       "
              << r.element << "\n  flops         " << plan.flops() << "\n  predicted     "
              << plan.predicted_seconds() * 1e6 << " us\n  workspace     " << plan.workspace_bytes()
              << " bytes\n";
    if (!r.svg.empty()) {
        std::ofstream file(r.svg);
        file << example::readable_plan<T>(plan).svg();
        if (!file.flush()) {
            throw std::runtime_error("cannot write " + r.svg);
        }
    }
    if (r.measure) {
        example::print_times<T>(r.equation, r.shapes, r.options);
    }
}

}  // namespace

int main(int argc, char** argv) {
    try {
        const request r = parse_arguments({argv + 1, argv + argc});
        if (r.help) {
            std::cout << usage;
        } else if (r.element == "double") {
            explain<double>(r);
        } else {
            explain<float>(r);
        }
        return success;
    } catch (const xeinsum::einsum_error& e) {
        std::cerr << e.what() << '\n';
        return wrong_equation;
    } catch (const usage_error& e) {
        std::cerr << "explain: " << e.what() << "\n\n" << usage;
        return wrong_usage;
    } catch (const std::exception& e) {
        std::cerr << "explain: " << e.what() << '\n';
        return wrong_equation;
    }
}
