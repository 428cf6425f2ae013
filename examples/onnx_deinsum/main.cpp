// A command-line tool that replaces the Einsum nodes of an ONNX model, such as "bqhd,bkhd->bhqk",
// by operators that every engine has: onnx_deinsum in.onnx out.onnx.
#include "model_file.hpp"
#include "rewrite.hpp"
#include "support/progress.hpp"

#include <xeinsum/emit/expressions.hpp>
#include <xeinsum/plan/print.hpp>

#include <charconv>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <iostream>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace fs = std::filesystem;

namespace {

constexpr int success = 0, not_rewritten = 1, wrong_usage = 2, not_checked = 3;

constexpr std::string_view usage =
    R"(usage: onnx_deinsum IN.onnx OUT.onnx [--explain] [--keep TEXT] [--opset N]
                    [--for opencv] [--check [NAME=EXTENT ...]]

  IN.onnx    a model; neither it nor its weights in other files are ever written to
  OUT.onnx   the same model, with standard operators in place of every Einsum node: a new name, or
             a regular file, which is replaced. In another folder than IN.onnx, weights that IN.onnx
             has in other files are copied to OUT.onnx.data
  --explain  tells of each node: equation, shapes, classes, replacement, flops and bytes
  --keep     leaves nodes whose name or equation holds TEXT; may be given again
  --opset    the opset to write, from 9 to the newest that the ONNX library knows; by default the
             model's own. An error where another node means something else there
  --for      opencv: operators that OpenCV 4.6 reads rightly, too, if the extents are known
  --check    runs both models on equal random inputs with ONNX Runtime and compares. Needs node and
             the npm package onnxruntime-node or onnxruntime-web; ONNXRUNTIME may name its folder.
             NAME=EXTENT sets an extent that inputs of the model leave open; others are 4
  --help     this text

Exits with 1 where the model cannot be read, rewritten or written, or the results differ; with 2
where the call is wrong; with 3 where OUT.onnx is written but could not be checked.
)";

struct usage_error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct open_extent {
    std::string name{};
    int value = 0;
};

struct call {
    fs::path in{};
    fs::path out{};
    deinsum::request wanted{};
    bool explain = false;
    bool check = false;
    bool help = false;
    std::vector<open_extent> extents{};
};

/// Nothing where the text is more, or less, than a number.
std::optional<int> whole_number(std::string_view text) {
    int n = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), n);
    return read.ec == std::errc{} && read.ptr == text.data() + text.size() ? std::optional(n)
                                                                           : std::nullopt;
}

int parse_opset(const std::string& text) {
    const int newest = deinsum::newest_opset();
    const std::optional<int> opset = whole_number(text);
    if (!opset || *opset < deinsum::oldest_opset || *opset > newest) {
        throw usage_error("not an opset from " + std::to_string(deinsum::oldest_opset) + " to " +
                          std::to_string(newest) + ": " + text);
    }
    return *opset;
}

open_extent parse_extent(const std::string& text) {
    const std::size_t equals = text.rfind('=');
    const std::optional<int> value = whole_number(std::string_view(text).substr(equals + 1));
    if (equals == 0 || !value || *value < 1) {
        throw usage_error("not NAME=EXTENT with an extent from 1 on: " + text);
    }
    return {text.substr(0, equals), *value};
}

call parse_arguments(const std::vector<std::string>& arguments) {
    call c;
    std::vector<std::string> files;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string& argument = arguments[i];
        const auto value = [&] {
            if (i + 1 == arguments.size()) {
                throw usage_error("an option without its value: " + argument);
            }
            return arguments[++i];
        };
        if (argument == "--help") {
            c.help = true;
        } else if (argument == "--explain") {
            c.explain = true;
        } else if (argument == "--check") {
            c.check = true;
        } else if (argument == "--keep") {
            c.wanted.keep.push_back(value());
        } else if (argument == "--opset") {
            c.wanted.opset = parse_opset(value());
        } else if (argument == "--for") {
            if (value() != "opencv") {
                throw usage_error("not an engine that needs another rewrite: " + arguments[i]);
            }
            c.wanted.target = deinsum::engine::opencv;
        } else if (argument.rfind("--", 0) == 0) {
            throw usage_error("not an option: " + argument);
        } else if (c.check && argument.find('=') != std::string::npos) {
            c.extents.push_back(parse_extent(argument));
        } else {
            files.push_back(argument);
        }
    }
    if (c.help) {
        return c;
    }
    if (files.size() != 2 || files[0].empty() || files[1].empty()) {
        throw usage_error("two files are needed");
    }
    c.in = files[0];
    c.out = files[1];
    return c;
}

void explain(const deinsum::replacement& r) {
    std::cout << r.node << ": " << r.equation << " of " << xeinsum::emission::listed(r.shapes)
              << '\n';
    if (!r.classes.empty()) {
        std::cout << "  " << r.classes << '\n';
    }
    std::cout << "  " << xeinsum::emission::listed(r.operators) << "; "
              << xeinsum::planning::count_text(r.flops) << " flops, "
              << xeinsum::emission::bytes_text(r.bytes);
    if (!r.open_extents.empty()) {
        std::cout << ", with " << deinsum::example_extent << " for "
                  << xeinsum::emission::listed(r.open_extents);
    }
    std::cout << '\n';
}

/// Quotes an argument for the shell.
std::string quoted(const std::string& text) {
    std::string all = "'";
    for (const char c : text) {
        if (c == '\'') {
            all += "'\\''";
        } else {
            all += c;
        }
    }
    all += '\'';
    return all;
}

int check(const call& c) {
    if (!fs::exists(DEINSUM_CHECK)) {
        std::cerr << "onnx_deinsum: --check needs " DEINSUM_CHECK "\n";
        return not_checked;
    }
    std::string command = "node " + quoted(DEINSUM_CHECK) + ' ' + quoted(fs::absolute(c.in)) + ' ' +
                          quoted(fs::absolute(c.out));
    for (const open_extent& e : c.extents) {
        command += ' ' + quoted(e.name + '=' + std::to_string(e.value));
    }
    const int status = std::system(command.c_str());
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : not_checked;
    if (code == 127) {
        std::cerr << "onnx_deinsum: --check needs node\n";
    }
    return code == success || code == not_rewritten ? code : not_checked;
}

/// A name that no input has would be passed over, and the check be one of other extents.
void check_names(const onnx::GraphProto& graph, const std::vector<open_extent>& extents) {
    std::set<std::string> names;
    for (const onnx::ValueInfoProto& input : graph.input()) {
        for (const auto& d : input.type().tensor_type().shape().dim()) {
            if (d.has_dim_param()) {
                names.insert(d.dim_param());
            }
        }
    }
    for (const open_extent& e : extents) {
        if (names.count(e.name) == 0) {
            throw usage_error("no input has an open extent '" + e.name + "'; they have: " +
                              (names.empty() ? "none" : xeinsum::emission::listed(names)));
        }
    }
}

/// Reads, rewrites and writes, with progress on a terminal.
struct rewritten {
    onnx::ModelProto model{};
    std::vector<deinsum::replacement> replaced{};
    std::optional<fs::path> weights{};
};

rewritten rewrite(const call& c) {
    rewritten r;
    progress::line line;
    line.show("reading " + c.in.string());
    r.model = deinsum::read(c.in);
    check_names(r.model.graph(), c.extents);
    if (const auto file = deinsum::overwritten(r.model, c.in, c.out)) {
        throw usage_error("the input would be overwritten: " + file->string());
    }
    std::optional<progress::counted> counted;
    deinsum::request wanted = c.wanted;
    wanted.progress = [&](std::size_t done, std::size_t all) {
        if (!counted) {
            line.clear();
            counted.emplace(all);
        }
        counted->show(done, "replacing Einsum nodes");
    };
    r.replaced = deinsum::rewrite(r.model, wanted);
    counted.reset();
    line.show("writing " + c.out.string());
    r.weights = deinsum::write(r.model, c.in, c.out);
    return r;
}

int run(const call& c) {
    const auto [model, replaced, weights] = rewrite(c);
    if (c.explain) {
        for (const auto& r : replaced) {
            explain(r);
        }
    }
    const std::size_t kept = deinsum::count_einsums(model.graph());
    std::cout << replaced.size() << " Einsum nodes replaced, " << kept << " kept\n";
    if (weights) {
        std::cout << "weights copied to " << weights->string() << '\n';
    }
    if (!std::cout.flush()) {
        throw deinsum::error("cannot print what was done; " + c.out.string() + " is written");
    }
    return c.check ? check(c) : success;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        const call c = parse_arguments({argv + 1, argv + argc});
        if (c.help) {
            std::cout << usage;
            return success;
        }
        return run(c);
    } catch (const usage_error& e) {
        std::cerr << "onnx_deinsum: " << e.what() << "\n\n" << usage;
        return wrong_usage;
    } catch (const std::exception& e) {
        std::cerr << "onnx_deinsum: " << e.what() << '\n';
        return not_rewritten;
    }
}
