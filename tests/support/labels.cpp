// The tables' notation for numpy's second calling form.
#include "labels.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace support {

xeinsum::equation parse_labels(std::string_view text) {
    std::vector<std::vector<std::int64_t>> terms;
    std::optional<std::vector<std::int64_t>> output;
    for (std::size_t at = 0; at < text.size();) {
        if (text[at] == ',') {
            ++at;
            continue;
        }
        const bool in_output = text.substr(at, 2) == "->";
        at += in_output ? 2 : 0;
        const std::size_t end = text.find(']', at);
        const std::string_view inner = text.substr(at + 1, end - at - 1);
        std::vector<std::int64_t> labels;
        for (std::size_t begin = 0; begin < inner.size();) {
            const std::size_t comma = std::min(inner.find(',', begin), inner.size());
            const std::string_view word = inner.substr(begin, comma - begin);
            labels.push_back(word == "..." ? xeinsum::ellipsis : std::stoll(std::string(word)));
            begin = comma + 1;
        }
        if (in_output) {
            output = labels;
        } else {
            terms.push_back(labels);
        }
        at = end + 1;
    }
    return xeinsum::equation::from_labels(terms, output);
}

}  // namespace support
