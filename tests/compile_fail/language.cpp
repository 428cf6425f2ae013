// A public header, of which the build gives the name, in an earlier standard: two lines and no
// more.
#include XEINSUM_HEADER
