// The one place that instantiates plans: of float and of double, for "ij,jk->ik" as for all others.
#include "planned.hpp"

#include "xtensor_views.hpp"

#include <xeinsum/plan.hpp>

#include <algorithm>
#include <memory>

namespace bench {

namespace {

template <class T>
xeinsum::plan<T> make(const task<T>& t, const xeinsum::options& wanted) {
    std::vector<shape> shapes;
    for (const auto& operand : t.operands()) {
        shapes.push_back(operand.extents());
    }
    xeinsum::options all = wanted;
    all.machine = wanted.machine == nullptr ? t.machine() : wanted.machine;
    return xeinsum::make_plan<T>(t.equation(), shapes, all);
}

template <class T>
struct ready {
    ready(const task<T>& t, const xeinsum::options& wanted)
        : plan(make(t, wanted)),
          memory(plan.make_workspace()),
          out(view(t.output().extents(), t.output().data())) {
        for (const auto& operand : t.operands()) {
            operands.push_back(view(operand.extents(), operand.data()));
        }
    }

    xeinsum::plan<T> plan;
    xeinsum::workspace memory;
    array_view<T> out;
    std::vector<array_view<T>> operands{};
};

}  // namespace

template <class T>
std::function<void()> plan_of(const task<T>& t, const xeinsum::options& wanted) {
    const auto r = std::make_shared<ready<T>>(t, wanted);
    const auto& in = r->operands;
    switch (in.size()) {
        case 1: return [r, &in] { r->plan.run(r->out, r->memory, in[0]); };
        case 2: return [r, &in] { r->plan.run(r->out, r->memory, in[0], in[1]); };
        case 3: return [r, &in] { r->plan.run(r->out, r->memory, in[0], in[1], in[2]); };
        default: return [r, &in] { r->plan.run(r->out, r->memory, in); };
    }
}

template <class T>
std::string chosen_lowerings(const task<T>& t) {
    const auto plan = make(t, {});
    std::string names;
    for (const xeinsum::step& s : plan.steps()) {
        names += names.empty() ? "" : "+";
        names += xeinsum::name(s.how.chosen);
    }
    return names;
}

template <class T>
double predicted_seconds(const task<T>& t, const xeinsum::options& wanted) {
    return make(t, wanted).predicted_seconds();
}

template <class T>
bool plan_alike(const task<T>& t, const xeinsum::options& a, const xeinsum::options& b) {
    const auto first = make(t, a);
    const auto second = make(t, b);
    return std::equal(first.steps().begin(), first.steps().end(), second.steps().begin(),
                      second.steps().end(), [](const xeinsum::step& x, const xeinsum::step& y) {
                          return x.how.chosen == y.how.chosen && x.how.variant == y.how.variant &&
                                 x.how.swapped == y.how.swapped && x.how.groups == y.how.groups;
                      });
}

template std::function<void()> plan_of(const task<float>&, const xeinsum::options&);
template std::function<void()> plan_of(const task<double>&, const xeinsum::options&);
template std::string chosen_lowerings(const task<float>&);
template std::string chosen_lowerings(const task<double>&);
template double predicted_seconds(const task<float>&, const xeinsum::options&);
template double predicted_seconds(const task<double>&, const xeinsum::options&);
template bool plan_alike(const task<float>&, const xeinsum::options&, const xeinsum::options&);
template bool plan_alike(const task<double>&, const xeinsum::options&, const xeinsum::options&);

}  // namespace bench
