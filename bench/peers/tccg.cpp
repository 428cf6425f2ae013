// Reads rows such as "Bf01 <tab> ... <tab> adb,cd->cba <tab> c=24,a=384,b=384,d=384 <tab> f32".
#include "tccg.hpp"

#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>

namespace bench {

namespace {

/// "a=2,b=3".
std::map<char, std::size_t> read_extents(const std::string& text) {
    std::map<char, std::size_t> extents;
    std::istringstream list(text);
    for (std::string item; std::getline(list, item, ',');) {
        extents[item.at(0)] = std::stoul(item.substr(2));
    }
    return extents;
}

}  // namespace

std::vector<bench_case> read_tccg_cases(const std::string& file) {
    std::ifstream in(file);
    if (!in) {
        throw std::runtime_error("cannot read " + file);
    }
    std::vector<bench_case> cases;
    std::string line;
    std::getline(in, line);
    while (std::getline(in, line)) {
        std::istringstream fields(line);
        std::string id;
        std::string published;
        std::string extents_field;
        std::string element_field;
        bench_case c;
        std::getline(fields, id, '\t');
        std::getline(fields, published, '\t');
        std::getline(fields, c.equation, '\t');
        std::getline(fields, extents_field, '\t');
        std::getline(fields, element_field, '\t');
        const auto extents = read_extents(extents_field);
        c.shapes.emplace_back();
        for (const char label : c.equation.substr(0, c.equation.find("->"))) {
            if (label == ',') {
                c.shapes.emplace_back();
            } else {
                c.shapes.back().push_back(extents.at(label));
            }
        }
        c.element = element_field == "f64" ? element::f64 : element::f32;
        c.title = id;
        cases.push_back(c);
    }
    return cases;
}

}  // namespace bench
