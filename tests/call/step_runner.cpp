#include <xeinsum/call/step_runner.hpp>

#include <xeinsum/equation/parser.hpp>

#include <doctest/doctest.h>

#include <string_view>
#include <vector>

namespace kernel = xeinsum::kernel;

namespace {

kernel::step_kinds kinds(std::string_view text, const std::vector<std::size_t>& ranks,
                         bool row_major = true) {
    return xeinsum::detail::kinds_of(
        xeinsum::resolve<xeinsum::heap_storage>(xeinsum::parse(text), ranks).view(), row_major);
}

}  // namespace

TEST_CASE("the labels tell which steps there may be") {
    CHECK(kinds("ijk->kij", {3}) == kernel::copy_steps);
    CHECK(kinds("ii->i", {2}) == kernel::copy_steps);
    CHECK(kinds("ij->j", {2}) == kernel::ordered_sum_steps);
    CHECK(kinds("ijk->ik", {3}) == kernel::ordered_sum_steps);
    CHECK(kinds("ijk->ki", {3}) == kernel::sum_steps);
    CHECK(kinds("iij->i", {3}) == kernel::ordered_sum_steps);
    CHECK(kinds("i,j->ij", {1, 1}) == kernel::ordered_product_steps);
    CHECK(kinds("i,j->ji", {1, 1}) == kernel::ordered_product_steps);
    CHECK(kinds("ij,k->jik", {2, 1}) == kernel::product_steps);
    CHECK(kinds("ij,j->ij", {2, 1}) == kernel::ordered_batch_product_steps);
    CHECK(kinds("ij,ji->ij", {2, 2}) == kernel::batch_product_steps);
    CHECK(kinds("ij,jk->ik", {2, 2}) == kernel::row_major_matrix_steps);
    CHECK(kinds("ij,j->i", {2, 1}) == kernel::row_major_vector_steps);
    CHECK(kinds("i,ij->j", {1, 2}) == kernel::row_major_vector_steps);
    CHECK(kinds("i,i->", {1, 1}) == kernel::row_major_vector_steps);
    CHECK(kinds("ij,kj->ik", {2, 2}) == kernel::matrix_steps);
    CHECK(kinds("ii,i->", {2, 1}) == kernel::vector_steps);
    CHECK(kinds("ij,jk->ki", {2, 2}) == kernel::product_sum_steps);
    CHECK(kinds("ij,jkl->ik", {2, 3}) == kernel::product_sum_steps);  // l is summed first
    CHECK(kinds("i,j->i", {1, 1}) == kernel::nest_steps);
    CHECK(kinds("ij,ij->i", {2, 2}) == kernel::ordered_batch_nest_steps);
    CHECK(kinds("ijk,jik->ij", {3, 3}) == kernel::batch_nest_steps);
    CHECK(kinds("hij,jk->hik", {3, 2}) == kernel::ordered_product_sum_steps);
    CHECK(kinds("hij,jk->ihk", {3, 2}) == kernel::product_sum_steps);
    CHECK(kinds("bij,bjk->bik", {3, 3}) == kernel::ordered_batch_product_sum_steps);
    CHECK(kinds("abij,bajk->abik", {4, 4}) == kernel::batch_product_sum_steps);
    CHECK(kinds("bij,bij->", {3, 3}) == kernel::nest_steps);
    CHECK(kinds("...i,...i->...", {3, 3}) == kernel::ordered_batch_nest_steps);
    CHECK(kinds("i,j,k->ijk", {1, 1, 1}) == kernel::all_steps);
}

TEST_CASE("arrays that may lie as they like may need copies for products without sums") {
    CHECK(kinds("i,j->ij", {1, 1}, false) == kernel::product_steps);
    CHECK(kinds("ij,j->ij", {2, 1}, false) == kernel::batch_product_steps);
    CHECK(kinds("ij,jk->ik", {2, 2}, false) == kernel::matrix_steps);
    CHECK(kinds("ij->j", {2}, false) == kernel::ordered_sum_steps);
}
