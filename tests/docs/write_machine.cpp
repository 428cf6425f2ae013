// Writes a header as ./dev calibrate does, of figures that nobody has measured: what a page says of
// "ij,jk->ik" planned for the user's machine is compiled with it.
#include "machine_file.hpp"

#include <fstream>

int main(int, char** arguments) {
    const xeinsum::machine faster{.hertz = 5e9};
    std::ofstream out(arguments[1]);
    out << bench::header_of(faster, {});
    return out.flush() ? 0 : 1;
}
