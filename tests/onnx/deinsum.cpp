// Rewritten models: every row of einsum.tsv as a model of one node, with extents known and unknown
// and in older opsets, gives the tables' numbers; constants, names and subgraphs are kept in order.
#include "../support/table.hpp"
#include "evaluator.hpp"
#include "models.hpp"

#include <doctest/doctest.h>
#include <onnx/checker.h>
#include <rewrite.hpp>
#include <xeinsum/reference/bound.hpp>
#include <xeinsum/reference/einsum.hpp>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

namespace fs = std::filesystem;

namespace {

using deinsum::rewrite;
using models::field;
using support::table_row;

xt::xarray<double> array_of(const evaluator::tensor& t) {
    auto a = xt::xarray<double>::from_shape(
        std::vector<std::size_t>(t.extents.begin(), t.extents.end()));
    std::copy(t.elements.begin(), t.elements.end(), a.storage().begin());
    return a;
}

evaluator::values operands_of(const table_row& row) {
    evaluator::values operands;
    const auto shapes = support::parse_shapes(field(row, "shapes"));
    for (std::size_t k = 0; k < shapes.size(); ++k) {
        evaluator::tensor t{{shapes[k].begin(), shapes[k].end()}, {}};
        std::size_t elements = 1;
        for (const auto e : shapes[k]) {
            elements *= static_cast<std::size_t>(e);
        }
        for (std::size_t n = 0; n < elements; ++n) {
            t.elements.push_back(support::table_element<double>(n, k));
        }
        operands[models::operand_name(k)] = t;
    }
    return operands;
}

void check_row(const table_row& row, onnx::ModelProto model, int opset,
               deinsum::engine target = deinsum::engine::standard) {
    CAPTURE(field(row, "id"));
    CAPTURE(field(row, "equation"));
    rewrite(model, {{}, opset, target});
    CHECK(deinsum::count_einsums(model.graph()) == 0);
    CHECK_NOTHROW(onnx::checker::check_model(model));
    const auto found = evaluator::run(model.graph(), operands_of(row), opset).at("y");
    const auto expected = support::expected_part(row, "re");
    const auto result =
        support::summarize(xt::cast<std::int64_t>(array_of(found)), expected.has_values);
    CHECK(result.extents == expected.extents);
    CHECK(result.sum == expected.sum);
    CHECK(result.wsum == expected.wsum);
    CHECK(result.values == expected.values);
}

std::size_t check_table(models::extents kind, int opset) {
    std::size_t checked = 0;
    for (const table_row& row : support::read_table("einsum.tsv")) {
        if (const auto model = models::of_row(row, kind)) {
            check_row(row, *model, opset);
            ++checked;
        }
    }
    return checked;
}

std::vector<std::string> types(const onnx::GraphProto& graph) {
    std::vector<std::string> all;
    for (const auto& node : graph.node()) {
        all.push_back(node.op_type());
    }
    return all;
}

using list = std::vector<std::string>;

/// A value of float, or of another type, as an input or output of a graph.
void declare(onnx::ValueInfoProto* value, const char* name,
             const std::vector<std::int64_t>& extents, int type = onnx::TensorProto::FLOAT) {
    value->set_name(name);
    value->mutable_type()->mutable_tensor_type()->set_elem_type(type);
    auto* shape = value->mutable_type()->mutable_tensor_type()->mutable_shape();
    for (const std::int64_t e : extents) {
        shape->add_dim()->set_dim_value(e);
    }
}

/// Makes "ij,kj->ik" of x0 and x1 the body of a loop, which sees x1 around it and is given x0 as
/// carried.
onnx::GraphProto* move_into_body(onnx::ModelProto& model, const char* type) {
    onnx::GraphProto* graph = model.mutable_graph();
    const onnx::NodeProto einsum = graph->node(0);
    graph->clear_node();
    onnx::NodeProto* loop = graph->add_node();
    loop->set_op_type(type);
    loop->add_output("y");
    onnx::AttributeProto* attribute = loop->add_attribute();
    attribute->set_name("body");
    attribute->set_type(onnx::AttributeProto::GRAPH);
    onnx::GraphProto* body = attribute->mutable_g();
    body->set_name("body");
    *body->add_node() = einsum;
    body->mutable_node(0)->set_input(0, "carried");
    body->mutable_node(0)->set_output(0, "next");
    return body;
}

/// The rewritten body's result for the values that it sees, against the reference.
void check_body(const onnx::GraphProto& body) {
    evaluator::tensor x{{3, 4}, {}};
    evaluator::tensor w{{4, 4}, {}};
    for (int n = 0; n < 16; ++n) {
        w.elements.push_back((n * 5) % 7 - 3);
        if (n < 12) {
            x.elements.push_back((n * 7) % 11 - 5);
        }
    }
    const auto expected =
        xeinsum::reference::einsum("ij,kj->ik", std::vector{array_of(x), array_of(w)});
    // What stands for a number of rounds or a condition is of no interest here.
    const evaluator::tensor one{{}, {1}};
    const auto found =
        evaluator::run(body, {{"carried", x}, {"x1", w}, {"round", one}, {"go_on", one}}, 13);
    CHECK(array_of(found.at("next")) == expected);
}

/// What the error says.
std::string refusal(onnx::ModelProto model, const deinsum::request& wanted = {}) {
    try {
        rewrite(model, wanted);
    } catch (const deinsum::error& e) {
        return e.what();
    }
    return "not refused";
}

bool holds(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("models of one node give the tables' results") {
    CHECK(check_table(models::extents::known, 13) >= 900);
}
TEST_CASE("models whose extents are known at run time only give the tables' results") {
    CHECK(check_table(models::extents::unknown, 13) >= 700);
}
TEST_CASE("models in older opsets give the tables' results") {
    CHECK(check_table(models::extents::known, 11) >= 900);
    CHECK(check_table(models::extents::known, 9) >= 900);
    CHECK(check_table(models::extents::unknown, 9) >= 700);
}

TEST_CASE("models for OpenCV give the tables' results, whichever operand is constant") {
    std::size_t checked = 0;
    for (const table_row& row : support::read_table("einsum.tsv")) {
        auto model = models::of_row(row, models::extents::known);
        if (!model || field(row, "dtype") != "f32") {
            continue;
        }
        const evaluator::values operands = operands_of(row);
        for (std::size_t constant = 0; constant <= std::min<std::size_t>(operands.size(), 3);
             ++constant) {
            onnx::ModelProto changed = *model;
            if (constant > 0) {
                const std::string name = models::operand_name(constant - 1);
                models::make_constant(changed, static_cast<int>(constant) - 1);
                auto* tensor = changed.mutable_graph()->mutable_initializer(0);
                tensor->clear_float_data();
                for (const double e : operands.at(name).elements) {
                    tensor->add_float_data(static_cast<float>(e));
                }
            }
            check_row(row, changed, 13, deinsum::engine::opencv);
            ++checked;
        }
    }
    CHECK(checked >= 300);
}

TEST_CASE("the examples of ONNX give their stored outputs") {
    std::size_t examples = 0;
    for (const auto& entry : fs::directory_iterator(XEINSUM_ONNX_NODES)) {
        if (entry.path().filename().string().rfind("test_einsum_", 0) != 0) {
            continue;
        }
        CAPTURE(entry.path().string());
        auto model = models::read<onnx::ModelProto>(entry.path() / "model.onnx");
        const std::string equation = model.graph().node(0).attribute(0).s();
        rewrite(model);
        CHECK(deinsum::count_einsums(model.graph()) == 0);
        CHECK_NOTHROW(onnx::checker::check_model(model));
        evaluator::values inputs;
        std::vector<xt::xarray<double>> operands;
        for (int i = 0; i < model.graph().input_size(); ++i) {
            const auto file =
                entry.path() / "test_data_set_0" / ("input_" + std::to_string(i) + ".pb");
            const auto t = evaluator::read(models::read<onnx::TensorProto>(file));
            inputs[model.graph().input(i).name()] = t;
            operands.push_back(array_of(t));
        }
        const auto stored = evaluator::read(
            models::read<onnx::TensorProto>(entry.path() / "test_data_set_0" / "output_0.pb"));
        const auto found =
            evaluator::run(model.graph(), inputs, 12).at(model.graph().output(0).name());
        const auto bound = xeinsum::reference::bound(equation, operands);
        CHECK(found.extents == stored.extents);
        CHECK(xeinsum::reference::worst_ratio(array_of(found), array_of(stored), bound) <= 2);
        ++examples;
    }
    CHECK(examples >= 5);
}

TEST_CASE("constant operands are permuted in the model") {
    onnx::ModelProto model = models::of("nctw,cd->ndtw", {{2, 3, 4, 5}, {3, 6}});
    models::make_constant(model, 1);
    const evaluator::tensor weights = evaluator::read(model.graph().initializer(0));
    evaluator::tensor x{{2, 3, 4, 5}, {}};
    for (int n = 0; n < 120; ++n) {
        x.elements.push_back((n * 7) % 11 - 5);
    }
    const auto expected =
        xeinsum::reference::einsum("nctw,cd->ndtw", std::vector{array_of(x), array_of(weights)});
    rewrite(model);
    CHECK(types(model.graph()) == list{"Reshape", "MatMul", "Reshape"});
    REQUIRE(model.graph().initializer_size() == 3);
    bool transposed = false;
    for (const auto& tensor : model.graph().initializer()) {
        transposed = transposed || (tensor.dims_size() == 2 && tensor.dims(0) == 6);
        CHECK(tensor.name() != "x1");
    }
    CHECK(transposed);
    const auto found = evaluator::run(model.graph(), {{"x0", x}}, 13).at("y");
    CHECK(array_of(found) == expected);
}

TEST_CASE("the last operator has the node's name, the result its own") {
    onnx::ModelProto model = models::of("bij,bkj->bik", {{2, 30, 40}, {2, 50, 40}});
    const auto told = rewrite(model);
    REQUIRE(told.size() == 1);
    CHECK(told[0].node == "einsum");
    CHECK(told[0].classes == "batch b; lhs-free i; rhs-free k; contracted j");
    CHECK(told[0].flops == 240000);
    CHECK(told[0].operators == list{"Transpose", "MatMul"});
    const auto& last = model.graph().node(model.graph().node_size() - 1);
    CHECK(last.name() == "einsum");
    CHECK(last.output(0) == "y");
}

TEST_CASE("chains are rewritten one after the other, shapes known") {
    onnx::ModelProto model = models::of("ij,jk->ki", {{3, 4}, {4, 5}});
    onnx::NodeProto* next = model.mutable_graph()->add_node();
    *next = model.graph().node(0);
    model.mutable_graph()->mutable_node(0)->set_output(0, "between");
    next->set_name("next");
    next->clear_input();
    next->add_input("between");
    next->mutable_attribute(0)->set_s("ki->i");
    const auto told = rewrite(model);
    REQUIRE(told.size() == 2);
    CHECK(told[1].shapes == list{"(5, 3)"});
}

TEST_CASE("open extents keep their names behind a rewritten node") {
    onnx::ModelProto model = models::of("btc,chd->bthd", {{-1, 3, 4}, {4, 2, 5}});
    models::open_extent(model, 0, 0, "batch");
    onnx::NodeProto* next = model.mutable_graph()->add_node();
    *next = model.graph().node(0);
    model.mutable_graph()->mutable_node(0)->set_output(0, "between");
    next->set_name("next");
    next->clear_input();
    next->add_input("between");
    next->mutable_attribute(0)->set_s("bthd->dbth");
    const auto told = rewrite(model);
    REQUIRE(told.size() == 2);
    CHECK(told[0].shapes == list{"(batch, 3, 4)", "(4, 2, 5)"});
    CHECK(told[0].open_extents == std::set<std::string>{"batch"});
    CHECK(told[1].shapes == list{"(batch, 3, 2, 5)"});
    REQUIRE(model.graph().value_info_size() == 1);
    const auto& between = model.graph().value_info(0);
    CHECK(between.name() == "between");
    CHECK(between.type().tensor_type().elem_type() == onnx::TensorProto::FLOAT);
    REQUIRE(between.type().tensor_type().shape().dim_size() == 4);
    CHECK(between.type().tensor_type().shape().dim(0).dim_param() == "batch");
    CHECK(between.type().tensor_type().shape().dim(1).dim_value() == 3);
    CHECK(between.type().tensor_type().shape().dim(2).dim_value() == 2);
    CHECK_NOTHROW(onnx::checker::check_model(model));
}
TEST_CASE("no names for open extents are made up") {
    onnx::ModelProto model = models::of("ij,kj->ik", {{3, 4}, {5, 4}});
    onnx::NodeProto* einsum = model.mutable_graph()->add_node();
    *einsum = model.graph().node(0);
    onnx::NodeProto* found = model.mutable_graph()->mutable_node(0);
    found->clear_attribute();
    found->clear_input();
    found->set_op_type("NonZero");
    found->set_name("found");
    found->add_input("x0");
    found->set_output(0, "places");  // (2, as many as are found)
    einsum->set_input(0, "places");
    einsum->set_input(1, "places");
    model.mutable_graph()->clear_output();
    declare(model.mutable_graph()->add_output(), "y", {2, 2}, onnx::TensorProto::INT64);
    const auto told = rewrite(model);
    REQUIRE(told.size() == 1);
    CHECK(told[0].shapes == list{"(2, ?)", "(2, ?)"});
}

TEST_CASE("branches are rewritten, with what they see around them") {
    const onnx::ModelProto inner = models::of("ij,kj->ik", {{30, 40}, {50, 40}});
    onnx::ModelProto model = inner;
    onnx::GraphProto* graph = model.mutable_graph();
    graph->clear_node();
    auto* condition = graph->add_input();
    condition->set_name("condition");
    condition->mutable_type()->mutable_tensor_type()->set_elem_type(onnx::TensorProto::BOOL);
    condition->mutable_type()->mutable_tensor_type()->mutable_shape();
    onnx::NodeProto* branch = graph->add_node();
    branch->set_op_type("If");
    branch->add_input("condition");
    branch->add_output("y");
    for (const char* name : {"then_branch", "else_branch"}) {
        onnx::AttributeProto* attribute = branch->add_attribute();
        attribute->set_name(name);
        attribute->set_type(onnx::AttributeProto::GRAPH);
        *attribute->mutable_g() = inner.graph();
        attribute->mutable_g()->clear_input();
        attribute->mutable_g()->mutable_node(0)->set_output(0, name);
        attribute->mutable_g()->mutable_node(0)->set_name(std::string(name) + "/einsum");
        attribute->mutable_g()->mutable_output(0)->set_name(name);
        attribute->mutable_g()->set_name(name);
    }
    CHECK(deinsum::count_einsums(model.graph()) == 2);
    CHECK(rewrite(model).size() == 2);
    CHECK(deinsum::count_einsums(model.graph()) == 0);
    CHECK_NOTHROW(onnx::checker::check_model(model));
    CHECK(types(model.graph().node(0).attribute(1).g()) == list{"Transpose", "MatMul"});
}

TEST_CASE("the body of a Loop is rewritten") {
    onnx::ModelProto model = models::of("ij,kj->ik", {{3, 4}, {4, 4}});
    onnx::GraphProto* body = move_into_body(model, "Loop");
    declare(body->add_input(), "round", {}, onnx::TensorProto::INT64);
    declare(body->add_input(), "go_on", {}, onnx::TensorProto::BOOL);
    declare(body->add_input(), "carried", {3, 4});
    declare(body->add_output(), "go_on", {}, onnx::TensorProto::BOOL);
    declare(body->add_output(), "next", {3, 4});
    onnx::NodeProto* loop = model.mutable_graph()->mutable_node(0);
    declare(model.mutable_graph()->add_input(), "rounds", {}, onnx::TensorProto::INT64);
    for (const char* input : {"rounds", "", "x0"}) {
        loop->add_input(input);
    }
    CHECK(deinsum::count_einsums(model.graph()) == 1);
    CHECK(rewrite(model).size() == 1);
    CHECK(deinsum::count_einsums(model.graph()) == 0);
    CHECK_NOTHROW(onnx::checker::check_model(model));
    const onnx::GraphProto& after = model.graph().node(0).attribute(0).g();
    check_body(after);
}

TEST_CASE("the body of a Scan is rewritten, behind a node that is rewritten too") {
    // x0 is carried through a scan over the rows of what another Einsum makes.
    onnx::ModelProto model = models::of("ij,kj->ik", {{3, 4}, {4, 4}});
    onnx::GraphProto* body = move_into_body(model, "Scan");
    declare(body->add_input(), "carried", {3, 4});
    declare(body->add_input(), "row", {4});
    declare(body->add_output(), "next", {3, 4});
    onnx::GraphProto* graph = model.mutable_graph();
    onnx::NodeProto* scan = graph->mutable_node(0);
    scan->add_input("x0");
    scan->add_input("rows");
    onnx::AttributeProto* count = scan->add_attribute();
    count->set_name("num_scan_inputs");
    count->set_type(onnx::AttributeProto::INT);
    count->set_i(1);
    onnx::NodeProto first = models::of("ij,kj->jk", {{3, 4}, {4, 4}}).graph().node(0);
    first.set_output(0, "rows");
    first.set_name("first");
    const onnx::NodeProto second = *scan;
    *graph->mutable_node(0) = first;
    *graph->add_node() = second;
    CHECK(deinsum::count_einsums(model.graph()) == 2);
    const auto told = rewrite(model);
    REQUIRE(told.size() == 2);
    CHECK(told[0].node == "first");
    CHECK(told[1].shapes == list{"(3, 4)", "(4, 4)"});
    CHECK(deinsum::count_einsums(model.graph()) == 0);
    CHECK_NOTHROW(onnx::checker::check_model(model));
    const onnx::NodeProto& after = model.graph().node(model.graph().node_size() - 1);
    CHECK(after.op_type() == "Scan");
    check_body(after.attribute(0).g());
}

TEST_CASE("nodes can be kept") {
    onnx::ModelProto model = models::of("ij,jk->ik", {{3, 4}, {4, 5}});
    CHECK(rewrite(model, {{"ij,jk"}, 0}).empty());
    CHECK(deinsum::count_einsums(model.graph()) == 1);
    CHECK(rewrite(model, {{"other"}, 0}).size() == 1);
}

TEST_CASE("what cannot be rewritten is refused by the node's name") {
    onnx::ModelProto model = models::of("ij,jk->ik", {{3, 4}, {4, 5}});
    model.mutable_graph()->mutable_input(0)->mutable_type()->mutable_tensor_type()->clear_shape();
    CHECK(holds(refusal(model), "node 'einsum': the number of axes of its input 'x0'"));

    CHECK(holds(refusal(models::of("bii->bi", {{-1, -1, -1}})), "must be known"));
    CHECK(holds(refusal(models::of("ij,jk->ik", {{3, 4}, {3, 5}})), "node 'einsum'"));
    CHECK(holds(refusal(models::of("ij->i->", {{3, 4}})), "node 'einsum'"));
    CHECK(holds(refusal(models::of("ij->i", {{3, 4}}, onnx::TensorProto::COMPLEX64)),
                "element type"));

    model = models::of("ij->i", {{3, 4}});
    onnx::NodeProto* other = model.mutable_graph()->add_node();
    other->set_op_type("Softmax");
    other->set_name("softmax");
    other->add_input("y");
    other->add_output("z");
    CHECK(holds(refusal(model, {{}, 11}), "node 'softmax': Softmax means something else"));

    model = models::of("ij->i", {{3, 4}});
    CHECK(holds(refusal(model, {{}, 3}), "opset 3 lacks operators"));
    CHECK(refusal(model, {{}, 9}) == "not refused");
    model.mutable_opset_import(0)->set_version(7);
    CHECK(holds(refusal(model), "opset 7 lacks operators"));
    CHECK(refusal(model, {{"ij"}}) == "not refused");

    model = models::of("ij->i", {{3, 4}});
    onnx::FunctionProto* function = model.add_functions();
    function->set_name("sums");
    *function->add_node() = model.graph().node(0);
    CHECK(holds(refusal(model), "function 'sums' has an Einsum node, 'einsum'"));
    CHECK(refusal(model, {{"ij"}}) == "not refused");
}
