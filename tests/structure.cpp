// The house's rules, read off the sources: who may include whom (equation <- plan <- lowering <-
// run
// <- call <- what users include; plan <- emit; kernel <- lowering; array <- call), that what
// decides sees no instructions, who names xtensor and xsimd, and that every header has a test of
// its name that includes it first, and so compiles alone.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace fs = std::filesystem;

namespace {

const fs::path root = XEINSUM_SOURCE_DIR;
const fs::path headers = root / "include" / "xeinsum";

std::vector<fs::path> files_below(const fs::path& folder, const std::string& extension) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        if (entry.path().extension() == extension) {
            files.push_back(entry.path());
        }
    }
    std::sort(files.begin(), files.end());
    return files;
}

std::vector<std::string> lines_of(const fs::path& file) {
    std::ifstream in(file);
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);) {
        lines.push_back(line);
    }
    return lines;
}

/// What a file includes, in order: "xeinsum/plan/step/step.hpp", "vector", "support/both.hpp".
std::vector<std::string> includes_of(const fs::path& file) {
    std::vector<std::string> includes;
    for (const std::string& line : lines_of(file)) {
        if (line.rfind("#include ", 0) == 0) {
            const std::size_t begin = line.find_first_of("<\"") + 1;
            includes.push_back(line.substr(begin, line.find_first_of(">\"", begin) - begin));
        }
    }
    return includes;
}

/// The room of one of our headers, without rooms within it; "" for those that lie in none.
std::string room_of(const fs::path& file) {
    const fs::path relative = fs::relative(file, headers);
    return relative.has_parent_path() ? relative.begin()->string() : "";
}

}  // namespace

TEST_CASE("rooms include only what they may") {
    const std::map<std::string, std::set<std::string>> allowed{
        {"equation", {"equation"}},
        {"tune", {"tune"}},
        {"plan", {"equation", "plan", "tune"}},
        {"emit", {"equation", "plan", "emit"}},
        {"kernel", {"kernel", "tune"}},
        {"lowering", {"equation", "plan", "kernel", "tune", "lowering"}},
        {"run", {"equation", "plan", "kernel", "tune", "lowering", "run"}},
        {"array", {"equation", "array"}},
        {"reference", {"equation", "array", "reference"}},
        {"call", {"equation", "plan", "kernel", "lowering", "run", "array", "call"}},
        {"dispatch", {"equation", "plan", "kernel", "tune", "lowering", "run", "call", "dispatch"}},
        {"",
         {"equation", "plan", "emit", "kernel", "lowering", "run", "array", "reference", "call",
          "dispatch", ""}},
    };
    for (const fs::path& file : files_below(headers, ".hpp")) {
        const std::string room = room_of(file);
        REQUIRE(allowed.count(room) == 1);
        for (const std::string& include : includes_of(file)) {
            CAPTURE(file.string());
            CAPTURE(include);
            if (include == "xeinsum/language.hpp") {
                continue;  // includes nothing, and is the first of what users include
            }
            if (include.rfind("xeinsum/", 0) == 0) {
                CHECK(allowed.at(room).count(room_of(root / "include" / include)) == 1);
                CHECK(fs::exists(root / "include" / include));
            }
            CHECK((include.rfind("xtensor/", 0) != 0 || room == "array"));
            // arch.hpp for machines that are not x86 or 64-bit Arm.
            const fs::path simd = headers / "kernel" / "simd";
            CHECK((include.rfind("xsimd/", 0) != 0 || file == simd / "simd.hpp" ||
                   file == simd / "arch.hpp"));
        }
    }
}

namespace {

/// All headers of ours that some include, themselves as well; not by way of one that is passed
/// over.
std::set<std::string> reached_from(std::vector<std::string> left,
                                   const std::set<std::string>& passed_over = {}) {
    std::set<std::string> seen(left.begin(), left.end());
    while (!left.empty()) {
        const std::string file = left.back();
        left.pop_back();
        for (const std::string& include : includes_of(root / "include" / file)) {
            if (include.rfind("xeinsum/", 0) == 0 && passed_over.count(include) == 0 &&
                seen.insert(include).second) {
                left.push_back(include);
            }
        }
    }
    return seen;
}

}  // namespace

TEST_CASE("what plans includes no kernel, and nothing that runs one") {
    std::vector<std::string> plans{"xeinsum/lowering/lowerings.hpp",
                                   "xeinsum/lowering/element_target.hpp"};
    for (const fs::path& file : files_below(headers / "plan", ".hpp")) {
        plans.push_back("xeinsum/" + fs::relative(file, headers).string());
    }
    const auto seen = reached_from(plans);
    CHECK(seen.count("xeinsum/kernel/simd/arch.hpp") == 1);
    CHECK(seen.count("xeinsum/kernel/simd/simd.hpp") == 0);
    for (const std::string& file : seen) {
        CAPTURE(file);
        CHECK(fs::path(file).filename() != "run.hpp");
        CHECK(fs::path(file).filename() != "run_recipe.hpp");
    }
}

TEST_CASE("calls whose kernels the library has include none") {
    const auto seen = reached_from({"xeinsum/compiled.hpp"}, {"xeinsum/call/kernels.hpp"});
    CHECK(seen.count("xeinsum/einsum.hpp") == 1);
    CHECK(seen.count("xeinsum/kernel/simd/simd.hpp") == 0);
    CHECK(seen.count("xeinsum/run/execute.hpp") == 0);
    CHECK(reached_from({"xeinsum/einsum.hpp"}).count("xeinsum/kernel/simd/simd.hpp") == 1);
}

TEST_CASE("no lowering includes another; the list includes them all") {
    std::set<std::string> lowerings;
    for (const std::string& include : includes_of(headers / "lowering" / "lowerings.hpp")) {
        if (include.rfind("xeinsum/lowering/", 0) == 0) {
            lowerings.insert(include);
        }
    }
    CHECK(lowerings.size() >= 3);
    for (const std::string& lowering : lowerings) {
        for (const std::string& include : includes_of(root / "include" / lowering)) {
            CAPTURE(lowering);
            CHECK(lowerings.count(include) == 0);
        }
    }
}

TEST_CASE("every header has a test of its name that includes it first") {
    for (const fs::path& file : files_below(headers, ".hpp")) {
        const fs::path relative = fs::relative(file, headers);
        fs::path test = root / "tests" / relative;
        test.replace_extension(".cpp");
        CAPTURE(relative.string());
        REQUIRE(fs::exists(test));
        CHECK(includes_of(test).front() == "xeinsum/" + relative.string());
    }
}

TEST_CASE("every header opens with a sentence and an example, and is included once") {
    for (const fs::path& file : files_below(headers, ".hpp")) {
        const auto lines = lines_of(file);
        CAPTURE(file.string());
        REQUIRE(lines.size() > 3);
        CHECK(lines[0].rfind("// ", 0) == 0);
        CHECK(std::find(lines.begin(), lines.end(), "#pragma once") != lines.end());
        std::string opening;
        for (std::size_t i = 0; lines[i].rfind("//", 0) == 0; ++i) {
            opening += lines[i];
        }
        CHECK(opening.find('"') != std::string::npos);
    }
}
