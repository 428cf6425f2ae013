// The version of the library, for programs that must tell: #if XEINSUM_VERSION >= 200 is "0.2.0"
// and later. Packages read it here.
#pragma once

#define XEINSUM_VERSION_MAJOR 0  ///< of a release that breaks what is public
#define XEINSUM_VERSION_MINOR 1  ///< of one that adds to it; before 1.0 of either
#define XEINSUM_VERSION_PATCH 0  ///< of one that corrects

/// All three as one number: 10203 is 1.2.3.
#define XEINSUM_VERSION \
    (XEINSUM_VERSION_MAJOR * 10000 + XEINSUM_VERSION_MINOR * 100 + XEINSUM_VERSION_PATCH)
