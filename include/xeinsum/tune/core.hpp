// What was measured of the cores of processors and their registers do not tell: results of
// "ij,jk->ik" that no cache holds leave a Zen 4 by non-temporal stores, and a Zen 5 through its
// caches.
#pragma once

#include <cstdint>

namespace xeinsum::tune {

/// One microarchitecture; the defaults suit those that are not listed.
struct core {
    /// The hardware prefetcher follows several long streams of reads: prefetching their lines only
    /// takes time.
    bool prefetches_streams = false;
    /// Tiles of an output that no cache holds take less time by non-temporal stores, a cache line
    /// at once.
    bool stores_tiles_non_temporally = true;
    /// Rows of whole registers that no cache holds take less time if they are joined in the
    /// first-level cache and leave it by non-temporal stores.
    bool joins_rows = true;
    /// The units multiply and shuffle all of a register of 64 bytes at once, so that half of one
    /// costs the same.
    bool multiplies_whole_registers = false;
    /// A tile that takes some hundred cycles waits less if it prefetches the lines of its results.
    bool short_tiles_prefetch = true;
    /// An output is best written line after line, even if the input is read out of order.
    bool writes_in_order = false;
    /// Dot products of one panel of rows are best cut into blocks of a page of rhs.
    bool cuts_dots_at_pages = false;
    /// Rows a multiple of 4 KiB apart are worth packing for some fifty rows of the other operand:
    /// they drive each other out of the second-level cache as well.
    bool packs_rows_of_one_set = false;
    /// The second-level cache feeds tiles as fast as panels in the first-level one do: an rhs of so
    /// many bytes is not packed for some dozen rows. 0 where it does not.
    std::int64_t unpacked_rhs_bytes = 0;
    /// Batches, and matrices of short rows, of so many bytes come from DRAM, where prefetching the
    /// next short product, or rows, pays; from the last-level cache it costs.
    std::int64_t dram_bytes = std::int64_t{8} << 20U;
};

// Types, as they are part of the name of each kernel: files of one program that are compiled for
// different processors never define the same function.

struct generic {
    static constexpr core measured{};
};
struct zen4 {
    static constexpr core measured{.joins_rows = false};
};
struct zen5 {
    static constexpr core measured{.prefetches_streams = true,
                                   .stores_tiles_non_temporally = false,
                                   .multiplies_whole_registers = true,
                                   .unpacked_rhs_bytes = std::int64_t{512} << 10U};
};
struct skylake_avx512 {
    static constexpr core measured{.multiplies_whole_registers = true,
                                   .short_tiles_prefetch = false,
                                   .writes_in_order = true,
                                   .cuts_dots_at_pages = true,
                                   .packs_rows_of_one_set = true};
};
struct sapphire_rapids {
    static constexpr core measured{.prefetches_streams = true,
                                   .stores_tiles_non_temporally = false,
                                   .multiplies_whole_registers = true,
                                   .short_tiles_prefetch = false,
                                   .writes_in_order = true,
                                   .cuts_dots_at_pages = true,
                                   .packs_rows_of_one_set = true,
                                   .dram_bytes = std::int64_t{48} << 20U};
};

/// The core that a program runs on, found out before kernels of it run; xeinsum::compiled has it.
struct detected {
    static core measured;
};

/// The one that this file is compiled for, as far as its instructions tell: of those with AVX-512,
/// AMD's have SSE4a, the newer ones AVX-VNNI; Intel's have ADX, which a level such as x86-64-v4
/// lacks, that may be any of them.
#if defined(__AVX512F__) && defined(__SSE4A__) && defined(__AVXVNNI__)
using native = zen5;
#elif defined(__AVX512F__) && defined(__SSE4A__)
using native = zen4;
#elif defined(__AVX512F__) && defined(__ADX__) && defined(__AVXVNNI__)
using native = sapphire_rapids;
#elif defined(__AVX512F__) && defined(__ADX__)
using native = skylake_avx512;
#else
using native = generic;
#endif

}  // namespace xeinsum::tune
