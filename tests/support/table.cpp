// The tables' syntax; see tests/conformance/README.md.
#include "table.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace support {

namespace {

[[nodiscard]] std::vector<std::string_view> split(std::string_view text, char at) {
    std::vector<std::string_view> parts;
    for (std::size_t begin = 0;;) {
        const std::size_t end = text.find(at, begin);
        parts.push_back(text.substr(begin, end - begin));
        if (end == std::string_view::npos) {
            return parts;
        }
        begin = end + 1;
    }
}

[[nodiscard]] std::string unescape(std::string_view field) {
    std::string text;
    for (std::size_t i = 0; i < field.size(); ++i) {
        if (field[i] != '\\') {
            text += field[i];
            continue;
        }
        switch (field[++i]) {
            case 't': text += '\t'; break;
            case 'n': text += '\n'; break;
            case 'r': text += '\r'; break;
            case 'x':
                text +=
                    static_cast<char>(std::stoi(std::string(field.substr(i + 1, 2)), nullptr, 16));
                i += 2;
                break;
            default: text += field[i];
        }
    }
    return text;
}

}  // namespace

std::vector<table_row> read_table(const std::string& name) {
    std::ifstream file(std::filesystem::path(XEINSUM_TEST_TABLES) / name);
    if (!file) {
        throw std::runtime_error("cannot read the table " + name);
    }
    std::string line;
    std::getline(file, line);
    const std::string header = line;
    const auto names = split(header, '\t');
    std::vector<table_row> rows;
    while (std::getline(file, line)) {
        const auto fields = split(line, '\t');
        if (fields.size() != names.size()) {
            throw std::runtime_error(name + ": a row has another number of fields: " + line);
        }
        table_row row;
        for (std::size_t i = 0; i < names.size(); ++i) {
            row[std::string(names[i])] = unescape(fields[i]);
        }
        rows.push_back(row);
    }
    return rows;
}

std::vector<std::int64_t> parse_integers(std::string_view text) {
    std::vector<std::int64_t> numbers;
    if (!text.empty()) {
        for (const std::string_view part : split(text, ',')) {
            numbers.push_back(std::stoll(std::string(part)));
        }
    }
    return numbers;
}

shape parse_shape(std::string_view text) {
    const auto numbers = parse_integers(text);
    return {numbers.begin(), numbers.end()};
}

std::vector<shape> parse_shapes(std::string_view text) {
    std::vector<shape> shapes;
    if (text != "none") {
        for (const std::string_view part : split(text, ';')) {
            shapes.push_back(parse_shape(part));
        }
    }
    return shapes;
}

table_result expected_part(const table_row& row, const std::string& part) {
    const auto field = [&](const std::string& name) { return row.find(name)->second; };
    const std::string suffix = part.empty() ? "" : "_" + part;
    table_result result;
    result.extents = parse_shape(field("expected_shape"));
    result.sum = std::stoll(field("sum" + suffix));
    result.wsum = std::stoll(field("wsum" + suffix));
    result.has_values = field("values" + suffix) != "-";
    if (result.has_values) {
        result.values = parse_integers(field("values" + suffix));
    }
    return result;
}

table_result summarize(const xt::xarray<std::int64_t>& part, bool with_values) {
    table_result result;
    result.extents.assign(part.shape().begin(), part.shape().end());
    result.has_values = with_values;
    std::int64_t n = 0;
    for (auto at = part.begin<xt::layout_type::row_major>();
         at != part.end<xt::layout_type::row_major>(); ++at, ++n) {
        result.sum += *at;
        result.wsum += *at * (n % 97 + 1);
        if (with_values) {
            result.values.push_back(*at);
        }
    }
    return result;
}

}  // namespace support
