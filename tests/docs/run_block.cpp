// Runs a block of a page, "std::cout << einsum("i,i->", a, b)", and compares what it prints.
#include <exception>
#include <iostream>
#include <sstream>
#include <string>

bool run_block(const char* where, int (*block)(), const char* expected);

namespace {

/// Without the ends of lines behind it.
std::string trimmed(std::string text) {
    text.erase(text.find_last_not_of('\n') + 1);
    return text;
}

}  // namespace

bool run_block(const char* where, int (*block)(), const char* expected) {
    std::ostringstream printed;
    std::streambuf* const own = std::cout.rdbuf(printed.rdbuf());
    std::string thrown;
    int code = 0;
    try {
        code = block();
    } catch (const std::exception& e) {
        thrown = e.what();
    }
    std::cout.rdbuf(own);
    if (!thrown.empty()) {
        std::cout << where << ": throws: " << thrown << '\n';
    } else if (code != 0) {
        std::cout << where << ": returns " << code << '\n';
    } else if (expected != nullptr && trimmed(printed.str()) != trimmed(expected)) {
        std::cout << where << ": prints\n"
                  << printed.str() << "\nand the page says\n"
                  << expected << '\n';
    } else {
        return true;
    }
    return false;
}
