// A command-line tool that replaces the Einsum nodes of an ONNX model, such as "bqhd,bkhd->bhqk",
// by operators that every engine has: onnx_deinsum in.onnx out.onnx.
#include "rewrite.hpp"

#include <xeinsum/emit/expressions.hpp>
#include <xeinsum/plan/print.hpp>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
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

  IN.onnx    a model; never written to
  OUT.onnx   the same model, with standard operators in place of every Einsum node
  --explain  tells of each node: equation, shapes, classes, replacement, flops and bytes
  --keep     leaves nodes whose name or equation holds TEXT; may be given again
  --opset    the opset to write, from 9 on; by default the model's own. An error where another node
             means something else there
  --for      opencv: operators that OpenCV 4.6 reads rightly, too, if the extents are known
  --check    runs both models on equal random inputs with ONNX Runtime and compares. Needs node and
             the npm package onnxruntime-node or onnxruntime-web; ONNXRUNTIME may name its folder.
             NAME=EXTENT sets an extent that the model leaves open; others are 4
  --help     this text

Exits with 1 where the model cannot be read, rewritten or written, or the results differ; with 2
where the call is wrong; with 3 where there is no ONNX Runtime to check with.
)";

struct usage_error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct call {
    fs::path in{};
    fs::path out{};
    deinsum::request wanted{};
    bool explain = false;
    bool check = false;
    bool help = false;
    std::vector<std::string> extents{};
};

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
            c.wanted.opset = std::atoi(value().c_str());
            if (c.wanted.opset < 9) {
                throw usage_error("not an opset from 9 on");
            }
        } else if (argument == "--for") {
            if (value() != "opencv") {
                throw usage_error("not an engine that needs another rewrite: " + arguments[i]);
            }
            c.wanted.target = deinsum::engine::opencv;
        } else if (argument.rfind("--", 0) == 0) {
            throw usage_error("not an option: " + argument);
        } else if (c.check && argument.find('=') != std::string::npos) {
            c.extents.push_back(argument);
        } else {
            files.push_back(argument);
        }
    }
    if (c.help) {
        return c;
    }
    if (files.size() != 2) {
        throw usage_error("two files are needed");
    }
    c.in = files[0];
    c.out = files[1];
    std::error_code ignored;
    if (fs::equivalent(c.in, c.out, ignored)) {
        throw usage_error("the input would be overwritten");
    }
    return c;
}

onnx::ModelProto read(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    if (!in) {
        throw deinsum::error("cannot open " + file.string());
    }
    onnx::ModelProto model;
    if (!model.ParseFromIstream(&in) || !model.has_graph()) {
        throw deinsum::error(file.string() + " is no ONNX model");
    }
    return model;
}

/// The file appears whole or not at all.
void write(const onnx::ModelProto& model, const fs::path& file) {
    const fs::path partial = file.string() + ".partial";
    {
        std::ofstream out(partial, std::ios::binary);
        if (!out || !model.SerializeToOstream(&out) || !out.flush()) {
            throw deinsum::error("cannot write " + file.string());
        }
    }
    fs::rename(partial, file);
}

void explain(const deinsum::replacement& r) {
    std::cout << r.node << ": " << r.equation << " of " << xeinsum::emission::listed(r.shapes)
              << '\n';
    if (!r.classes.empty()) {
        std::cout << "  " << r.classes << '\n';
    }
    std::cout << "  " << xeinsum::emission::listed(r.operators) << "; "
              << xeinsum::planning::count_text(r.flops) << " flops, "
              << xeinsum::emission::bytes_text(r.bytes) << '\n';
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
    std::string command = "node " + quoted(DEINSUM_CHECK) + ' ' + quoted(fs::absolute(c.in)) + ' ' +
                          quoted(fs::absolute(c.out));
    for (const std::string& e : c.extents) {
        command += ' ' + quoted(e);
    }
    std::cout.flush();
    const int status = std::system(command.c_str());
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : not_rewritten;
    if (code == 127) {
        std::cerr << "onnx_deinsum: --check needs node\n";
        return not_checked;
    }
    return code;
}

int run(const call& c) {
    onnx::ModelProto model = read(c.in);
    const auto replaced = deinsum::rewrite(model, c.wanted);
    write(model, c.out);
    if (c.explain) {
        for (const auto& r : replaced) {
            explain(r);
        }
    }
    const std::size_t kept = deinsum::count_einsums(model.graph());
    std::cout << replaced.size() << " Einsum nodes replaced, " << kept << " kept\n";
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
