// Formats what was measured of "ij,jk->ik" and all others.
#include "report.hpp"

#include "regret.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

namespace bench {

namespace {

std::string number(double x) {
    std::array<char, 32> text{};
    const int digits = x >= 100 ? 0 : x >= 10 ? 1 : 2;
    std::snprintf(text.data(), text.size(), "%.*f", digits, x);
    return text.data();
}

std::string number_or_dash(double x) {
    return x > 0 ? number(x) : "-";
}

/// A peer's cell: a ratio, "-" where it does not do the case, "wrong", "!" behind it for threads.
std::string cell(const timing& xeinsum, const timing& peer) {
    if (peer.wrong) {
        return "wrong";
    }
    return number_or_dash(speed_over(xeinsum, peer)) + (peer.threaded ? "!" : "");
}

/// xeinsum's speed over that of the fastest of some peers.
template <class Belongs>
double speed_over_best(const measurement& m, Belongs belongs) {
    double least = 0;
    for (const timing& t : m.peers) {
        const double speed = speed_over(m.xeinsum, t);
        if (belongs(t) && speed > 0) {
            least = least == 0 ? speed : std::min(least, speed);
        }
    }
    return least;
}

std::string last_cell(const measurement& m, bool regret) {
    if (!regret) {
        return number_or_dash(speed_over_best(m, [](const timing& t) { return t.is_blas; }));
    }
    return number_or_dash(regret_of(m));
}

void print_timing(std::ostream& out, const timing& t) {
    out << R"({"name": ")" << t.name << R"(", "repetitions": )" << t.repetitions << R"(, "wrong": )"
        << (t.wrong ? "true" : "false") << R"(, "threaded": )" << (t.threaded ? "true" : "false")
        << R"(, "seconds": [)";
    for (std::size_t i = 0; i < t.seconds.size(); ++i) {
        out << (i == 0 ? "" : ", ") << t.seconds[i];
    }
    out << "]}";
}

}  // namespace

table::table(std::ostream& out, bool markdown, std::size_t name_width,
             const std::vector<const peer*>& peers, bool regret)
    : out_(out), markdown_(markdown), regret_(regret) {
    std::vector<std::string> head{"case", "us", "spread %", "GFLOP/s", "GB/s"};
    for (const peer* p : peers) {
        head.push_back(p->name());
    }
    head.emplace_back(regret ? "regret" : "best BLAS");
    head.emplace_back("lowering");
    for (const std::string& title : head) {
        widths_.push_back(std::max<std::size_t>(title.size(), 8));
    }
    widths_.front() = std::max(name_width, widths_.front());
    print_line(head);
    if (markdown_) {
        for (std::size_t c = 0; c < head.size(); ++c) {
            out_ << (c == 0 || c + 1 == head.size() ? "|---" : "|---:");
        }
        out_ << "|\n";
    }
}

void table::print(const measurement& m) {
    const auto& seconds = m.xeinsum.seconds;
    const double median = quantile(seconds, 0.5);
    std::vector<std::string> cells{m.name};
    if (m.xeinsum.wrong) {
        cells.insert(cells.end(), {"wrong", "-", "-", "-"});
    } else {
        const double spread = quantile(seconds, 0.75) - quantile(seconds, 0.25);
        cells.insert(cells.end(),
                     {number(1e6 * median), number(100 * spread / median),
                      number_or_dash(1e-9 * m.flops / median), number(1e-9 * m.bytes / median)});
    }
    for (const timing& t : m.peers) {
        cells.push_back(cell(m.xeinsum, t));
    }
    cells.push_back(last_cell(m, regret_));
    cells.push_back(m.lowerings);
    print_line(cells);
}

void table::print_line(const std::vector<std::string>& cells) {
    for (std::size_t c = 0; c < cells.size(); ++c) {
        const bool left = c == 0 || c + 1 == cells.size();
        const std::size_t used = std::min(cells[c].size(), widths_[c]);
        const std::string gap(left && c > 0 ? 0 : widths_[c] - used, ' ');
        out_ << (markdown_ ? "| " : c == 0 ? "" : "  ");
        out_ << (left ? "" : gap) << cells[c] << (left ? gap : "") << (markdown_ ? " " : "");
    }
    out_ << (markdown_ ? "|\n" : "\n") << std::flush;
}

void print_json(std::ostream& out, const std::vector<measurement>& all) {
    out << "[\n";
    for (std::size_t i = 0; i < all.size(); ++i) {
        const measurement& m = all[i];
        out << R"({"case": ")" << m.name << R"(", "lowerings": ")" << m.lowerings
            << R"(", "flops": )" << m.flops << R"(, "bytes": )" << m.bytes
            << ",\n \"contestants\": [\n  ";
        print_timing(out, m.xeinsum);
        for (const timing& t : m.peers) {
            if (t.measured() || t.wrong) {
                out << ",\n  ";
                print_timing(out, t);
            }
        }
        out << (i + 1 < all.size() ? "]},\n" : "]}\n");
    }
    out << "]\n";
}

}  // namespace bench
