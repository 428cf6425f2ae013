// Writes the models of einsum.tsv, such as "ij,jk->ik" of two inputs, before and after the rewrite:
// FOLDER/ROW.before.onnx and .after.onnx, and the same with open extents as ROW.open.*. Arguments:
// folder, opset.
#include "models.hpp"

#include <rewrite.hpp>

#include <cstdlib>
#include <fstream>
#include <string>

namespace {

void write(const onnx::ModelProto& model, const std::string& file) {
    std::ofstream out(file, std::ios::binary);
    if (!model.SerializeToOstream(&out)) {
        throw std::runtime_error("cannot write " + file);
    }
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) {
        return 2;
    }
    const std::string folder = argv[1];
    for (const support::table_row& row : support::read_table("einsum.tsv")) {
        for (const auto kind : {models::extents::known, models::extents::unknown}) {
            auto model = models::of_row(row, kind);
            if (!model) {
                continue;
            }
            const std::string name = folder + '/' + models::field(row, "id") +
                                     (kind == models::extents::known ? "" : ".open");
            write(*model, name + ".before.onnx");
            deinsum::rewrite(*model, {{}, std::atoi(argv[2])});
            write(*model, name + ".after.onnx");
        }
    }
}
