// bench_peers: every case, "ij,jk->ik" of all sizes and others, by xeinsum and whatever else was
// found when it was built, side by side in one process on one thread.
#include "arguments.hpp"
#include "cases.hpp"
#include "conformance_cases.hpp"
#include "machine_file.hpp"
#include "measure.hpp"
#include "peer.hpp"
#include "random_cases.hpp"
#include "regret.hpp"
#include "report.hpp"
#include "support/progress.hpp"
#include "tccg.hpp"
#include "thin_cases.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iostream>
#include <regex>
#include <string>
#include <vector>

namespace {

/// Peers read how many threads they may use when they are loaded: tell them and load them again.
void restart_with_one_thread(char** argv) {
    bool as_wanted = true;
    for (const char* name : {"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"}) {
        const char* value = std::getenv(name);
        if (value == nullptr || std::string(value) != "1") {
            as_wanted = false;
            setenv(name, "1", 1);
        }
    }
    if (!as_wanted) {
        execv("/proc/self/exe", argv);
        std::cerr << "cannot start again with one thread; watch for marks of threads\n";
    }
}

std::vector<bench::bench_case> all_cases(const bench::arguments& wanted) {
    std::vector<bench::bench_case> all;
    const auto add = [&](const std::vector<bench::bench_case>& cases) {
        all.insert(all.end(), cases.begin(), cases.end());
    };
    add(bench::gemm_cases());
    add(bench::broadcast_multiply_reduce_cases());
    add(bench::depthwise_convolution_cases());
    add(bench::permute_cases());
    add(bench::random_cases(wanted.random));
    if (wanted.thin) {
        add(bench::thin_cases());
    }
    if (wanted.matrices) {
        add(bench::matrix_cases());
    }
    if (wanted.regret) {
        add(bench::example_cases());
        add(bench::conformance_cases(XEINSUM_BENCH_CONFORMANCE_CASES));
    }
    add(bench::read_tccg_cases(XEINSUM_BENCH_TCCG_CASES));
    return all;
}

int run(const bench::arguments& wanted) {
    const std::regex filter(wanted.filter);
    std::vector<bench::bench_case> cases;
    std::size_t width = 0;
    const xeinsum::machine core =
        wanted.machine.empty() ? xeinsum::machine{} : bench::read_machine(wanted.machine);
    for (bench::bench_case& c : all_cases(wanted)) {
        if (std::regex_search(name(c), filter)) {
            c.machine = &core;
            cases.push_back(c);
            width = std::max(width, name(c).size());
        }
    }
    const std::regex peer_filter(wanted.peers);
    std::vector<const bench::peer*> peers;
    for (const auto& p : bench::all_peers()) {
        if (p->is_lowering() == wanted.regret && std::regex_search(p->name(), peer_filter)) {
            peers.push_back(p.get());
        }
    }
    bench::table table(std::cout, wanted.markdown, width, peers, wanted.regret);
    std::vector<bench::measurement> all;
    bench::regret_summary regret;
    bool right = true;
    progress::counted progress(cases.size());
    for (const bench::bench_case& c : cases) {
        progress.show(all.size(), name(c));
        all.push_back(wanted.regret ? bench::measure_regret(c, peers, wanted.rounds)
                                    : bench::measure(c, peers, wanted.rounds));
        progress.clear();
        table.print(all.back());
        regret.add(all.back());
        right = right && !all.back().xeinsum.wrong;
        for (const bench::timing& t : all.back().peers) {
            right = right && !t.wrong;
        }
    }
    if (wanted.regret) {
        regret.print(std::cout);
    }
    if (!wanted.json.empty()) {
        std::ofstream file(wanted.json);
        print_json(file, all);
        if (!file) {
            std::cerr << "cannot write " << wanted.json << '\n';
            return 1;
        }
    }
    return right ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        const bench::arguments wanted = bench::read_arguments(argc, argv);
        if (wanted.help) {
            std::cout << bench::usage();
            return 0;
        }
        restart_with_one_thread(argv);
        return run(wanted);
    } catch (const std::exception& e) {
        std::cerr << e.what() << '\n' << bench::usage();
        return 1;
    }
}
