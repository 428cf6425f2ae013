// "ij->ji" of texts, planned.
#include <xeinsum/plan.hpp>

#include <string>

auto wrong() {
    return xeinsum::make_plan<std::string>("ij->ji", {{2, 3}});
}
