// The program onnx_deinsum as a user calls it: "ij,jk->ik" in files that are links, folders,
// devices or the input itself, with weights in other files, and options that are wrong.
#include "models.hpp"
#include "raw_data.hpp"

#include <doctest/doctest.h>

#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace fs = std::filesystem;

namespace {

/// A folder that is empty at first and gone at the end.
class folder {
public:
    folder() {
        std::string name = (fs::temp_directory_path() / "onnx_deinsum_XXXXXX").string();
        REQUIRE(::mkdtemp(name.data()) != nullptr);
        path_ = name;
    }
    folder(const folder&) = delete;
    folder& operator=(const folder&) = delete;
    ~folder() { fs::remove_all(path_); }

    [[nodiscard]] fs::path operator/(const std::string& name) const { return path_ / name; }
    [[nodiscard]] std::set<std::string> names() const {
        std::set<std::string> all;
        for (const auto& entry : fs::directory_iterator(path_)) {
            all.insert(entry.path().filename().string());
        }
        return all;
    }

private:
    fs::path path_{};
};

using names = std::set<std::string>;

struct outcome {
    int code = -1;
    std::string text{};
};

outcome shell(const std::string& command) {
    outcome o;
    std::FILE* pipe = ::popen(("exec 2>&1; " + command).c_str(), "r");
    REQUIRE(pipe != nullptr);
    std::array<char, 4096> piece{};
    while (const std::size_t n = std::fread(piece.data(), 1, piece.size(), pipe)) {
        o.text.append(piece.data(), n);
    }
    const int status = ::pclose(pipe);
    o.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return o;
}

outcome deinsum(const fs::path& in, const fs::path& out, const std::string& more = {},
                const std::string& before = {}) {
    return shell(before + " '" XEINSUM_ONNX_DEINSUM "' '" + in.string() + "' '" + out.string() +
                 "' " + more);
}

bool holds(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

void check_refusal(const outcome& o, int code, const std::string& reason) {
    CAPTURE(o.text);
    CAPTURE(reason);
    CHECK(o.code == code);
    CHECK(holds(o.text, reason));
}

std::string bytes_of(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

void put(const fs::path& file, const std::string& bytes) {
    std::ofstream(file, std::ios::binary) << bytes;
}

void put(const fs::path& file, const onnx::ModelProto& model) {
    put(file, model.SerializeAsString());
}

onnx::ModelProto open_model() {
    onnx::ModelProto model = models::of("bij,bkj->bik", {{-1, 3, 4}, {-1, 5, 4}});
    models::open_extent(model, 0, 0, "batch");
    models::open_extent(model, 1, 0, "batch");
    return model;
}

const onnx::ModelProto plain = models::of("ij,kj->ik", {{3, 4}, {5, 4}});

/// "ij,kj->ik" whose x1, 1 2 3 to 20, is 80 bytes from byte 16 of a file, and a second weight that
/// is the rest of it.
onnx::ModelProto with_weights(const std::string& location) {
    onnx::ModelProto model = plain;
    auto* graph = model.mutable_graph();
    graph->mutable_input()->DeleteSubrange(1, 1);
    for (const char* name : {"x1", "tied", "rest"}) {
        auto* tensor = graph->add_initializer();
        tensor->set_name(name);
        tensor->set_data_type(onnx::TensorProto::FLOAT);
        tensor->set_data_location(onnx::TensorProto::EXTERNAL);
        const bool is_rest = name == std::string("rest");
        tensor->add_dims(is_rest ? 2 : 5);
        if (!is_rest) {
            tensor->add_dims(4);
        }
        std::map<std::string, std::string> entries{{"location", location},
                                                   {"offset", is_rest ? "96" : "16"}};
        if (!is_rest) {
            entries["length"] = "80";
        }
        for (const auto& [key, value] : entries) {
            auto* entry = tensor->add_external_data();
            entry->set_key(key);
            entry->set_value(value);
        }
    }
    return model;
}

std::string weights() {
    std::vector<float> elements(4, -1);
    for (int n = 1; n <= 20; ++n) {
        elements.push_back(static_cast<float>(n));
    }
    elements.insert(elements.end(), {30, 31});
    return {reinterpret_cast<const char*>(elements.data()), elements.size() * sizeof(float)};
}

std::map<std::string, std::string> entries(const onnx::ModelProto& model, const std::string& name) {
    std::map<std::string, std::string> all;
    for (const auto& tensor : model.graph().initializer()) {
        if (tensor.name() == name) {
            for (const auto& e : tensor.external_data()) {
                all[e.key()] = e.value();
            }
        }
    }
    return all;
}

std::vector<float> elements(const fs::path& model, const std::string& name) {
    auto where = entries(models::read<onnx::ModelProto>(model), name);
    const std::string all = bytes_of(model.parent_path() / where["location"]);
    const std::size_t offset = std::stoul(where["offset"]);
    REQUIRE(offset + std::stoul(where["length"]) <= all.size());
    return raw_data::elements<float>(all.substr(offset, std::stoul(where["length"])));
}

}  // namespace

TEST_CASE("an input of any name survives") {
    const folder f;
    put(f / "m.onnx.partial", plain);
    const outcome o = deinsum(f / "m.onnx.partial", f / "m.onnx");
    CHECK(o.code == 0);
    CHECK(bytes_of(f / "m.onnx.partial") == plain.SerializeAsString());
    CHECK(f.names() == names{"m.onnx", "m.onnx.partial"});
}

TEST_CASE("the input is not the output, under whatever name") {
    const folder f;
    put(f / "m.onnx", plain);
    fs::create_symlink("m.onnx", f / "link.onnx");
    fs::create_hard_link(f / "m.onnx", f / "hard.onnx");
    fs::create_directory(f / "below");
    for (const std::string same : {"m.onnx", "link.onnx", "hard.onnx", "below/../m.onnx"}) {
        CAPTURE(same);
        const outcome o = deinsum(f / "m.onnx", f / same);
        CHECK(o.code == 2);
        CHECK(holds(o.text, "the input would be overwritten"));
    }
    CHECK(deinsum(f / "link.onnx", f / "m.onnx").code == 2);
    CHECK(bytes_of(f / "m.onnx") == plain.SerializeAsString());
    CHECK(fs::is_symlink(f / "link.onnx"));
    CHECK(f.names() == names{"below", "hard.onnx", "link.onnx", "m.onnx"});
}

TEST_CASE("neither links, folders nor devices are written to, nor replaced") {
    const folder f;
    put(f / "m.onnx", plain);
    put(f / "kept", "as it was");
    fs::create_symlink("kept", f / "link");
    fs::create_symlink("nowhere", f / "dangling");
    fs::create_directory(f / "folder");
    REQUIRE(::mkfifo((f / "pipe").c_str(), 0600) == 0);
    std::map<std::string, std::string> reasons{{"link", "it is a symbolic link"},
                                               {"dangling", "it is a symbolic link"},
                                               {"folder", "it is a folder"},
                                               {"folder/", "it is a folder"},
                                               {"new/", "it is a folder"},
                                               {"pipe", "neither a regular file nor"},
                                               {"missing/out.onnx", "No such file or directory"}};
    if (::mknod((f / "device").c_str(), S_IFCHR | 0600, ::makedev(1, 3)) == 0) {  // only for root
        reasons["device"] = "neither a regular file nor";
    }
    const names all = f.names();
    for (const auto& [name, reason] : reasons) {
        check_refusal(deinsum(f / "m.onnx", f / name), 1, reason);
        CHECK(f.names() == all);
    }
    CHECK(bytes_of(f / "kept") == "as it was");
    CHECK(fs::is_symlink(f / "link"));
    CHECK(fs::is_fifo(f / "pipe"));
    CHECK(fs::is_directory(f / "folder"));
    CHECK((reasons.count("device") == 0 || fs::is_character_file(f / "device")));
}

TEST_CASE("other files beside the output stay") {
    const folder f;
    put(f / "m.onnx", plain);
    put(f / "kept", "as it was");
    fs::create_symlink("kept", f / "out.onnx.partial");
    CHECK(deinsum(f / "m.onnx", f / "out.onnx").code == 0);
    CHECK(bytes_of(f / "kept") == "as it was");
    CHECK(f.names() == names{"kept", "m.onnx", "out.onnx", "out.onnx.partial"});
}

TEST_CASE("an output that is there is replaced, with its permissions") {
    const folder f;
    put(f / "m.onnx", plain);
    put(f / "out.onnx", "before");
    fs::permissions(f / "out.onnx", fs::perms::owner_read | fs::perms::owner_write);
    CHECK(deinsum(f / "m.onnx", f / "out.onnx").code == 0);
    CHECK(models::read<onnx::ModelProto>(f / "out.onnx").graph().node(0).op_type() != "Einsum");
    CHECK(fs::status(f / "out.onnx").permissions() ==
          (fs::perms::owner_read | fs::perms::owner_write));

    fs::permissions(f / "out.onnx", fs::perms::owner_read);
    if (::access((f / "out.onnx").c_str(), W_OK) != 0) {  // nothing stops root
        const std::string before = bytes_of(f / "out.onnx");
        const outcome o = deinsum(f / "m.onnx", f / "out.onnx", "--opset 11");
        CHECK(o.code == 1);
        CHECK(holds(o.text, "Permission denied"));
        CHECK(bytes_of(f / "out.onnx") == before);
    }
}

TEST_CASE("an output that cannot be written whole is not there, and the old one stays") {
    const folder f;
    onnx::ModelProto model = models::of("ij,kj->ik", {{3, 90}, {50, 90}});
    models::make_constant(model, 1);
    put(f / "m.onnx", model);
    put(f / "old.onnx", "before");
    for (const std::string name : {"old.onnx", "new.onnx"}) {
        CAPTURE(name);
        const outcome o =
            deinsum(f / "m.onnx", f / name, {}, "trap '' XFSZ; ulimit -f 8;");  // at most 8 KiB
        CHECK(o.code == 1);
        CHECK(holds(o.text, "File too large"));
    }
    CHECK(bytes_of(f / "old.onnx") == "before");
    CHECK(f.names() == names{"m.onnx", "old.onnx"});
}

TEST_CASE("inputs that are no models are told apart") {
    const folder f;
    put(f / "empty.onnx", "");
    put(f / "text.onnx", "no model at all");
    fs::create_directory(f / "folder");
    put(f / "large.onnx", "");
    fs::resize_file(f / "large.onnx", std::uintmax_t{3} << 30);  // takes no space
    for (const auto& [name, reason] :
         std::map<std::string, std::string>{{"empty.onnx", "is no ONNX model"},
                                            {"text.onnx", "is no ONNX model"},
                                            {"large.onnx", "larger than 2 GiB"},
                                            {"folder", "cannot read"},
                                            {"missing", "No such file or directory"}}) {
        check_refusal(deinsum(f / name, f / "out.onnx"), 1, reason);
    }
    CHECK_FALSE(fs::exists(f / "out.onnx"));
}

TEST_CASE("weights in other files are copied along to another folder") {
    const folder f;
    fs::create_directories(f / "in/sub");
    fs::create_directory(f / "out");
    put(f / "in/m.onnx", with_weights("sub/m.bin"));
    put(f / "in/sub/m.bin", weights());
    const outcome o = deinsum(f / "in/m.onnx", f / "out/m.onnx");
    CHECK(o.code == 0);
    CHECK(holds(o.text, "weights copied to " + (f / "out/m.onnx.data").string()));
    fs::remove_all(f / "in");
    const auto x1 = elements(f / "out/m.onnx", "x1");
    REQUIRE(x1.size() == 20);
    for (std::size_t n = 0; n < 20; ++n) {
        CHECK(x1[n] == static_cast<float>(n + 1));
    }
    CHECK(elements(f / "out/m.onnx", "rest") == std::vector<float>{30, 31});
    const auto model = models::read<onnx::ModelProto>(f / "out/m.onnx");
    CHECK(entries(model, "tied") == entries(model, "x1"));
    CHECK(fs::file_size(f / "out/m.onnx.data") < 8192);
    CHECK(deinsum(f / "out/m.onnx", f / "again.onnx").code == 0);  // what is written can be read
}

TEST_CASE("weights in other files stay where they are beside an output in the same folder") {
    const folder f;
    put(f / "m.onnx", with_weights("m.bin"));
    put(f / "m.bin", weights());
    CHECK(deinsum(f / "m.onnx", f / "out.onnx").code == 0);
    CHECK(f.names() == names{"m.bin", "m.onnx", "out.onnx"});
    const auto model = models::read<onnx::ModelProto>(f / "out.onnx");
    CHECK(entries(model, "x1") == entries(with_weights("m.bin"), "x1"));
}

TEST_CASE("weights in other files are never written to") {
    const folder f;
    fs::create_directory(f / "out");
    put(f / "m.onnx", with_weights("m.bin"));
    put(f / "m.bin", weights());
    fs::create_hard_link(f / "m.bin", f / "out/m.onnx.data");
    for (const std::string out : {"m.bin", "out/m.onnx"}) {
        CAPTURE(out);
        const outcome o = deinsum(f / "m.onnx", f / out);
        CHECK(o.code == 2);
        CHECK(holds(o.text, "would be overwritten: " + (f / "m.bin").string()));
    }
    CHECK(bytes_of(f / "m.bin") == weights());
    CHECK_FALSE(fs::exists(f / "out/m.onnx"));
}

TEST_CASE("weights that cannot be copied keep the output from being written") {
    const folder f;
    fs::create_directories(f / "in");
    fs::create_directory(f / "out");
    put(f / "in/whole.bin", weights());
    put(f / "in/short.bin", weights().substr(0, 90));
    put(f / "outside.bin", weights());
    for (const auto& [location, reason] : std::map<std::string, std::string>{
             {"missing.bin", "cannot read"},
             {"short.bin", "ends before the data of tensor 'x1'"},
             {"../outside.bin", "in no file below the model's folder"},
             {(f / "outside.bin").string(), "in no file below the model's folder"}}) {
        put(f / "in/m.onnx", with_weights(location));
        check_refusal(deinsum(f / "in/m.onnx", f / "out/m.onnx"), 1, reason);
        CHECK(fs::is_empty(f / "out"));
    }
    onnx::ModelProto model = with_weights("whole.bin");
    model.mutable_graph()->mutable_initializer(0)->mutable_external_data(2)->set_value("16x");
    put(f / "in/m.onnx", model);
    CHECK(holds(deinsum(f / "in/m.onnx", f / "out/m.onnx").text, "no offset in a file: 16x"));
    put(f / "in/m.onnx", with_weights("whole.bin"));
    fs::create_symlink("nowhere", f / "out/m.onnx.data");
    CHECK(deinsum(f / "in/m.onnx", f / "out/m.onnx").code == 1);
    CHECK_FALSE(fs::exists(f / "out/m.onnx"));
}

TEST_CASE("options are what they are said to be, or the call is wrong") {
    const folder f;
    put(f / "m.onnx", open_model());
    for (const auto& [options, reason] : std::map<std::string, std::string>{
             {"--opset 99", "not an opset from 9 to "},
             {"--opset 3", "not an opset from 9 to "},
             {"--opset 11x", "not an opset from 9 to "},
             {"--opset 4294967307", "not an opset from 9 to "},
             {"--check zz=3", "no input has an open extent 'zz'; they have: batch"},
             {"--check batch=0", "not NAME=EXTENT"},
             {"--check batch=", "not NAME=EXTENT"},
             {"--check batch=3x", "not NAME=EXTENT"},
             {"--check =3", "not NAME=EXTENT"}}) {
        check_refusal(deinsum(f / "m.onnx", f / "out.onnx", options, "ONNXRUNTIME=/nowhere"), 2,
                      reason);
    }
    CHECK(deinsum("", f / "out.onnx").code == 2);
    CHECK(f.names() == names{"m.onnx"});
    CHECK(deinsum(f / "m.onnx", f / "out.onnx", "--opset 9").code == 0);
    CHECK(models::read<onnx::ModelProto>(f / "out.onnx").opset_import(0).version() == 9);
}

TEST_CASE("extents that flops were counted with are told") {
    const folder f;
    put(f / "m.onnx", open_model());
    // 2 x 32 x 3 x 4 x 5 flops, 32 x (12 + 20 + 15) x 4 bytes
    CHECK(holds(deinsum(f / "m.onnx", f / "out.onnx", "--explain").text,
                "; 3840 flops, 5.875 KiB, with 32 for batch\n"));
    put(f / "known.onnx", plain);
    const outcome known = deinsum(f / "known.onnx", f / "out.onnx", "--explain");
    CHECK(holds(known.text, "; 120 flops, 188 bytes\n"));
    put(f / "half.onnx", models::of("ij,kj->ik", {{3, 4}, {5, 4}}, onnx::TensorProto::FLOAT16));
    CHECK(holds(deinsum(f / "half.onnx", f / "out.onnx", "--explain").text, "flops, 94 bytes\n"));
    CHECK(deinsum(f / "known.onnx", f / "out.onnx", "--explain > /dev/full").code == 1);
}

TEST_CASE("a check that cannot be made is told apart from results that differ") {
    if (shell("node --version").code != 0) {
        MESSAGE("not tested: install node");
        return;
    }
    const folder f;
    put(f / "m.onnx", open_model());
    const auto check = [&](const std::string& runtime) {
        return deinsum(f / "m.onnx", f / "out.onnx", "--check batch=7",
                       "ONNXRUNTIME='" XEINSUM_FAKE_RUNTIME "' FAKE_RUNTIME='" + runtime + "'");
    };
    for (const std::string type : {"float32", "float64", "float16", "bool", "int8", "int16",
                                   "int32", "int64", "uint8", "uint16", "uint32", "uint64"}) {
        CAPTURE(type);
        const outcome o = check(type);
        CHECK(o.code == 0);
        CHECK(holds(o.text, "largest difference 0.00e+0"));
        CHECK(check(type + " differs").code == 1);
    }
    CHECK(check("string").code == 3);
    CHECK(holds(check("string").text, "not checked: no random elements of type string"));
    CHECK(check("float32 before").code == 3);
    CHECK(holds(check("float32 before").text, "fails with the input: the model before fails"));
    CHECK(check("float32 after").code == 1);
    CHECK(deinsum(f / "m.onnx", f / "out.onnx", "--check", "ONNXRUNTIME=/nowhere").code == 3);
}
