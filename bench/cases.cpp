// Names of cases: {"ij,j->i", {{2, 3}, {3}}} is "ij,j->i/2x3,3/f32".
#include "cases.hpp"

namespace bench {

std::string name(const bench_case& c) {
    std::string text = c.title;
    text += text.empty() ? "" : "/";
    text += c.equation;
    char before_shape = '/';
    for (const shape& s : c.shapes) {
        text += before_shape;
        before_shape = ',';
        for (std::size_t a = 0; a < s.size(); ++a) {
            text += a == 0 ? "" : "x";
            text += std::to_string(s[a]);
        }
    }
    text += "/";
    text += name(c.element);
    return text;
}

}  // namespace bench
