#include <xeinsum/run/pieces.hpp>

#include <xeinsum/lowering/run_recipe.hpp>

#include "../support/aligned_bytes.hpp"
#include "../support/arrays.hpp"
#include "../support/instances.hpp"
#include "../support/shared_kernels.hpp"
#include "../support/table_of.hpp"

#include <xeinsum/lowering/element_target.hpp>
#include <xeinsum/lowering/lowerings.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

using namespace xeinsum;
using support::built_table;

namespace {

/// Runs pieces last first, and remembers how many.
struct backwards {
    std::size_t most = 0;
    void operator()(std::size_t count, pieces_of_work body) {
        most = count;
        for (std::size_t i = count; i-- > 0;) {
            body(i);
        }
    }
};

/// Row-major i x j times j x k.
std::vector<double> product(const std::vector<double>& a, const std::vector<double>& b,
                            std::size_t m, std::size_t k, std::size_t n) {
    std::vector<double> c(m * n, 0);
    for (std::size_t i = 0; i < m; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
            for (std::size_t p = 0; p < k; ++p) {
                c[i * n + j] += a[i * k + p] * b[p * n + j];
            }
        }
    }
    return c;
}

/// Runs a step with the given cuts, scaled by 2 and added to ones.
template <class Lowering>
std::vector<double> run_cut(built_table& t, const work_split& split, const std::vector<double>& a,
                            const std::vector<double>& b, std::size_t results,
                            backwards& parallel) {
    const planning::target on = lowerings::target_of<double, support::native_arch>();
    recipe how = Lowering::build(t.get(), on);
    how.split = split;
    how.split.partial_bytes =
        split.between_terms ? split.pieces() * planning::align_up(results * sizeof(double)) : 0;
    std::vector<std::byte> memory(how.memory_bytes() + 64);
    auto* aligned = reinterpret_cast<std::byte*>(
        (reinterpret_cast<std::uintptr_t>(memory.data()) + 63) / 64 * 64);
    const double* from[]{a.data(), b.data()};
    std::vector<double> out(results, 1);
    const kernel::scaling<double> scale(2, 1);
    const auto run = [](const recipe& r, const kernel::loops& rows, std::size_t inputs,
                        const double* const* in, double* to, const kernel::scaling<double>& by,
                        std::byte* scratch) {
        lowerings::run_lowering<double, support::native_arch, kernel::all_steps>(
            Lowering(), r, rows, inputs, in, to, by, scratch);
    };
    lowerings::piecewise_run<double, support::native_arch>(
        run, how, {t.get().row(0), t.get().pitch(), t.get().size()}, 2, from, out.data(), scale,
        aligned)
        .run(parallel);
    return out;
}

template <class Lowering>
void check_product(const char* equation, const work_split& split) {
    built_table t(equation, {{30, 40}, {40, 50}});
    const auto a = support::small_numbers<double>(1200),
               b = support::small_numbers<double>(2000, 5);
    const auto plain = product(a, b, 30, 40, 50);
    backwards parallel;
    const auto out = run_cut<Lowering>(t, split, a, b, 1500, parallel);
    CHECK(parallel.most == (split.workers > 1 ? split.workers : 0));
    const bool transposed = std::string_view(equation) == "ij,jk->ki";
    for (std::size_t i = 0; i < 30; ++i) {
        for (std::size_t k = 0; k < 50; ++k) {
            REQUIRE(out[transposed ? k * 30 + i : i * 50 + k] == 2 * plain[i * 50 + k] + 1);
        }
    }
}

/// A step on arrays of its own, whole or cut in two.
template <class Lowering, class T>
class cut_step {
public:
    cut_step(const char* equation, const support::operand_shapes& shapes)
        : t_(equation, shapes), how_(Lowering::build(t_.get(), on)), scratch_(how_.memory_bytes()) {
        for (const auto& shape : shapes) {
            operands_.push_back(support::fractions<T>({shape.begin(), shape.end()},
                                                      static_cast<unsigned>(operands_.size()) + 5));
        }
        std::size_t results = 1;
        for (std::size_t m = 0; m < t_.get().size(); ++m) {
            const bool survives = t_.get().stride(m, 0) != 0;
            results *= survives ? static_cast<std::size_t>(t_.get().extent(m)) : 1;
        }
        whole_.resize(results);
        run(nullptr, 0, 0, whole_);
    }

    /// How many cuts were tried between units of any loop over results.
    int check_cuts() {
        int cuts = 0;
        for (std::size_t m = 0; m < t_.get().size(); ++m) {
            const std::int64_t unit = Lowering::unit(how_, t_.get(), m, on);
            if (unit == 0 || t_.get().stride(m, 0) == 0) {
                continue;
            }
            for (std::int64_t cut = unit; cut < t_.get().extent(m) && cut <= 5 * unit;
                 cut += unit) {
                CAPTURE(m);
                CAPTURE(cut);
                std::vector<T> pieces(whole_.size());
                run(&m, 0, cut, pieces);
                run(&m, cut, t_.get().extent(m), pieces);
                CHECK(std::memcmp(pieces.data(), whole_.data(), whole_.size() * sizeof(T)) == 0);
                ++cuts;
            }
        }
        return cuts;
    }

private:
    static constexpr planning::target on = lowerings::target_of<T, support::native_arch>();

    /// Iterations begin to end - 1 of a loop, or all where that is null.
    void run(const std::size_t* loop, std::int64_t begin, std::int64_t end, std::vector<T>& out) {
        const mode_table table = t_.get();
        std::vector<std::int64_t> cells(table.row(0), table.row(0) + table.size() * table.pitch());
        std::vector<const T*> from;
        for (const auto& operand : operands_) {
            from.push_back(operand.data());
        }
        T* to = out.data();
        if (loop != nullptr) {
            std::int64_t* row = cells.data() + *loop * table.pitch();
            row[0] = end - begin;
            to += begin * row[1];
            for (std::size_t i = 0; i < from.size(); ++i) {
                from[how_.swapped ? 1 - i : i] += begin * row[2 + i];
            }
        }
        lowerings::run_lowering<T, support::native_arch, kernel::batch_product_sum_steps>(
            Lowering(), how_, {cells.data(), table.pitch(), table.size()}, from.size(), from.data(),
            to, {}, scratch_.data());
    }

    built_table t_;
    recipe how_;
    support::aligned_bytes scratch_;
    std::vector<xt::xarray<T>> operands_{};
    std::vector<T> whole_{};
};

struct step_case {
    const char* equation;
    support::operand_shapes shapes;
};

template <class T>
int check_units(const step_case& c) {
    int cuts = 0;
    const auto check = [&]<class Lowering>() {
        built_table t(c.equation, c.shapes);
        if (Lowering::refusal(t.get()) == nullptr) {
            CAPTURE(name(Lowering::id));
            cuts += cut_step<Lowering, T>(c.equation, c.shapes).check_cuts();
        }
    };
    CAPTURE(std::string(c.equation));
    check.template operator()<lowerings::gemm>();
    check.template operator()<lowerings::broadcast_multiply_reduce>();
    check.template operator()<lowerings::depthwise_convolution>();
    return cuts;
}

}  // namespace

TEST_CASE_TEMPLATE("cuts between units of a loop leave every result the same bits", T, float,
                   double) {
    static const std::vector<step_case> cases{
        {"ij,j->i", {{45, 1000}, {1000}}},
        {"ij,j->i", {{46, 300}, {300}}},
        {"ij,j->i", {{47, 100}, {100}}},
        {"ij,j->i", {{39, 27}, {27}}},
        {"ij,ij->i", {{37, 1100}, {37, 1100}}},
        {"ij,ij->i", {{37, 90}, {37, 90}}},
        {"bij,bj->bi", {{7, 21, 130}, {7, 130}}},
        {"abj,bj->ab", {{21, 13, 70}, {13, 70}}},
        {"ij->i", {{45, 300}}},
        {"ijk->j", {{9, 45, 33}}},
        {"ij->j", {{70, 300}}},
        {"i,ij->j", {{70}, {70, 300}}},
        {"bhwc,bhwc->bc", {{5, 7, 9, 150}, {5, 7, 9, 150}}},
        {"bchw,bchw->bc", {{5, 21, 7, 9}, {5, 21, 7, 9}}},
        {"bac,bacf->bcf", {{5, 7, 12}, {5, 7, 12, 40}}},
        {"ji,jk->ikj", {{30, 21}, {30, 40}}},
        {"cb,bac->cba", {{50, 8}, {8, 24, 50}}},
        {"ij,jk->ik", {{50, 70}, {70, 90}}},
        {"ij,jk->ik", {{150, 300}, {300, 170}}},
        {"ij,kj->ik", {{9, 500}, {300, 500}}},
        {"bij,bjk->bik", {{5, 21, 40}, {5, 40, 50}}},
        {"ijb,jkb->ikb", {{9, 11, 200}, {11, 13, 200}}},
        {"adb,cd->cba", {{20, 30, 40}, {24, 30}}},
    };
    int cuts = 0;
    for (const step_case& c : cases) {
        cuts += check_units<T>(c);
    }
    CHECK(cuts > 100);
}

TEST_CASE("a product in pieces is the product, whichever modes are cut") {
    for (const char* equation : {"ij,jk->ik", "ij,jk->ki"}) {  // the second exchanges its operands
        CAPTURE(equation);
        for (unsigned char row = 0; row < 2; ++row) {
            check_product<lowerings::gemm>(equation, {{{{row, 3, 6}, {}}}, false, 3, 0});
            check_product<lowerings::broadcast_multiply_reduce>(equation,
                                                                {{{{row, 2, 1}, {}}}, false, 2, 0});
        }
        // Six pieces for four workers.
        check_product<lowerings::gemm>(equation, {{{{0, 3, 1}, {1, 2, 1}}}, false, 4, 0});
    }
}

TEST_CASE("pieces of sums are added up") {
    for (const char* equation : {"ij,jk->ik", "ij,jk->ki"}) {
        CAPTURE(equation);
        for (const std::uint32_t workers : {1U, 3U, 5U}) {
            check_product<lowerings::gemm>(equation, {{{{2, 5, 1}, {}}}, true, workers, 0});
            check_product<lowerings::broadcast_multiply_reduce>(
                equation, {{{{2, 5, 1}, {}}}, true, workers, 0});
        }
    }
}

TEST_CASE("other layouts keep inside the planned memory") {
    const work_split planned{{{{0, 4, 1}, {}}}, false, 4, 0};
    const work_split sums{{{{2, 5, 1}, {}}}, true, 4, 320};
    CHECK_FALSE(lowerings::within(sums, planned).is_cut());
    CHECK(lowerings::within(planned, sums).pieces() == 4);
    work_split more = planned;
    more.cuts[0].pieces = more.workers = 6;
    CHECK(lowerings::within(more, planned).workers == 4);
    CHECK(lowerings::within(more, planned).pieces() == 6);
}
