// Writes and reads lines such as ".hertz = 3.3e+09,", which "ij,jk->ik" is predicted by.
#include "machine_file.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <stdexcept>

namespace bench {

using xeinsum::machine;

double figure::of(const machine& m) const {
    return std::visit([&](auto at) { return static_cast<double>(m.*at); }, member);
}

void figure::set(machine& m, double value) const {
    std::visit(
        [&](auto at) { m.*at = static_cast<std::remove_reference_t<decltype(m.*at)>>(value); },
        member);
}

const std::vector<figure>& figures() {
    static const std::vector<figure> all{
        {"hertz", &machine::hertz},
        {"fused_multiply_adds_per_cycle", &machine::fused_multiply_adds_per_cycle},
        {"loads_per_cycle", &machine::loads_per_cycle},
        {"bytes_per_second", &machine::bytes_per_second},
        {"cached_bytes_per_second", &machine::cached_bytes_per_second},
        {"near_bytes_per_second", &machine::near_bytes_per_second},
        {"cache_bytes", &machine::cache_bytes},
        {"near_cache_bytes", &machine::near_cache_bytes},
        {"first_cache_bytes", &machine::first_cache_bytes},
        {"near_line_cycles", &machine::near_line_cycles},
        {"cached_line_cycles", &machine::cached_line_cycles},
        {"distant_line_cycles", &machine::distant_line_cycles},
        {"page_cycles", &machine::page_cycles},
        {"line_cycles", &machine::line_cycles},
        {"term_line_cycles", &machine::term_line_cycles},
        {"lane_sum_cycles", &machine::lane_sum_cycles},
        {"lone_sum_cycles", &machine::lone_sum_cycles},
        {"rows_cycles", &machine::rows_cycles},
        {"window_line_cycles", &machine::window_line_cycles},
        {"window_cycles", &machine::window_cycles},
        {"window_sum_cycles", &machine::window_sum_cycles},
        {"gather_cycles", &machine::gather_cycles},
        {"sum_cycles", &machine::sum_cycles},
        {"input_cycles", &machine::input_cycles},
        {"tile_cycles", &machine::tile_cycles},
        {"scatter_cycles", &machine::scatter_cycles},
        {"scalar_cycles", &machine::scalar_cycles},
        {"scalar_result_cycles", &machine::scalar_result_cycles},
        {"scalar_window_cycles", &machine::scalar_window_cycles},
        {"step_seconds", &machine::step_seconds},
        {"product_seconds", &machine::product_seconds},
        {"pack_seconds", &machine::pack_seconds},
        {"piece_seconds", &machine::piece_seconds},
        {"reorder_seconds", &machine::reorder_seconds},
    };
    static_assert(sizeof(machine) == 34 * sizeof(double), "a new figure belongs into the list");
    return all;
}

namespace {

/// The processor's name as Linux tells it.
std::string processor() {
    std::ifstream in("/proc/cpuinfo");
    for (std::string line; std::getline(in, line);) {
        if (line.rfind("model name", 0) == 0 && line.find(": ") != std::string::npos) {
            return line.substr(line.find(": ") + 2);
        }
    }
    return "this processor";
}

std::string compiler() {
#if defined(__clang__)
    return "clang " __clang_version__;
#else
    return "g++ " __VERSION__;
#endif
}

/// Words as comment lines of at most 100 columns.
std::string comment(const std::string& text) {
    constexpr std::size_t columns = 100;
    std::string all;
    std::string line = "//";
    std::string word;
    const auto add = [&] {
        if (line.size() + 1 + word.size() > columns) {
            all += line + '\n';
            line = "//";
        }
        line += word.empty() ? "" : ' ' + word;
        word.clear();
    };
    for (const char c : text) {
        if (c == ' ') {
            add();
        } else {
            word += c;
        }
    }
    add();
    return all + line + '\n';
}

}  // namespace

std::string header_of(const machine& m, const std::vector<std::string_view>& defaults) {
    std::string text = comment("What bench_calibrate measured on one core of " + processor() +
                               ", with kernels compiled by " + compiler() +
                               ". Plans and calls that are given it choose what is fastest there:");
    text += "//     xeinsum::options{.machine = &xeinsum::measured_machine}\n";
    if (!defaults.empty()) {
        std::string names;
        for (const std::string_view name : defaults) {
            names += names.empty() ? "" : ", ";
            names += name;
        }
        text += comment(
            "Not measured, because nothing that ran depended on it enough, and as in "
            "xeinsum::machine{}: " +
            names + ".");
    }
    text += "#pragma once\n\n#include <xeinsum/plan/machine.hpp>\n\nnamespace xeinsum {\n\n";
    text += "inline constexpr machine measured_machine{\n";
    for (const figure& f : figures()) {
        char number[32];
        const bool whole = std::holds_alternative<std::size_t machine::*>(f.member);
        std::snprintf(number, sizeof(number), whole ? "%.0f" : "%.3g", f.of(m));
        text += "    .";
        text += f.name;
        text += " = ";
        text += number;
        text += ",\n";
    }
    return text + "};\n\n}  // namespace xeinsum\n";
}

machine read_machine(const std::string& file) {
    std::ifstream in(file);
    machine m;
    std::size_t found = 0;
    for (std::string line; std::getline(in, line);) {
        const std::size_t dot = line.find_first_not_of(' ');
        const std::size_t equals = line.find(" = ");
        if (dot == std::string::npos || line[dot] != '.' || equals == std::string::npos) {
            continue;
        }
        const std::string name = line.substr(dot + 1, equals - dot - 1);
        const auto f = std::find_if(figures().begin(), figures().end(),
                                    [&](const figure& each) { return each.name == name; });
        if (f == figures().end()) {
            throw std::runtime_error("a machine has no " + name + ": " + file);
        }
        f->set(m, std::strtod(line.c_str() + equals + 3, nullptr));
        ++found;
    }
    if (found == 0) {
        throw std::runtime_error("no header of a machine: " + file);
    }
    return m;
}

}  // namespace bench
