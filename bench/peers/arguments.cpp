// Reads --filter REGEX and its like; a case's name is such as "ij,jk->ik/8x8,8x8/f32".
#include "arguments.hpp"

#include <charconv>
#include <stdexcept>

namespace bench {

namespace {

std::size_t read_number(const std::string& text) {
    std::size_t number = 0;
    const auto end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc() || stop != end || number == 0) {
        throw std::invalid_argument("not a number above 0: " + text);
    }
    return number;
}

}  // namespace

arguments read_arguments(int argc, char** argv) {
    arguments read;
    for (int i = 1; i < argc; ++i) {
        const std::string option = argv[i];
        const auto value = [&] {
            if (i + 1 == argc) {
                throw std::invalid_argument("nothing follows " + option);
            }
            return std::string(argv[++i]);
        };
        if (option == "--filter") {
            read.filter = value();
        } else if (option == "--peers") {
            read.peers = value();
        } else if (option == "--json") {
            read.json = value();
        } else if (option == "--rounds") {
            read.rounds = read_number(value());
        } else if (option == "--markdown") {
            read.markdown = true;
        } else if (option == "--regret") {
            read.regret = true;
        } else if (option == "--random") {
            read.random = read_number(value());
        } else if (option == "--thin") {
            read.thin = true;
        } else if (option == "--matrices") {
            read.matrices = true;
        } else if (option == "--machine") {
            read.machine = value();
        } else if (option == "--help") {
            read.help = true;
        } else {
            throw std::invalid_argument("unknown option " + option);
        }
    }
    return read;
}

std::string usage() {
    return "bench_peers [options]\n"
           "  --filter REGEX  measure the cases whose name matches\n"
           "  --peers REGEX   beside the peers whose name matches\n"
           "  --regret        beside xeinsum's forced lowerings instead; more cases\n"
           "  --random N      N cases drawn at random as well\n"
           "  --thin          thin products and sums as well\n"
           "  --matrices      products of matrices of every shape and layout as well\n"
           "  --machine FILE  planned for the machine that bench_calibrate has written there\n"
           "  --rounds N      samples of each (11)\n"
           "  --json FILE     write every sample\n"
           "  --markdown      print a Markdown table\n";
}

}  // namespace bench
