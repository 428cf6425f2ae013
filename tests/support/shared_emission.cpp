#include "shared_emission.hpp"

template std::string xeinsum::emission::emit(const xeinsum::emission::planned&, xeinsum::target,
                                             const xeinsum::emit_options&);
