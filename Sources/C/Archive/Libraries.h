// The functions used from the four libraries, resolved by carchive_load().

#ifndef CARCHIVE_LIBRARIES_H
#define CARCHIVE_LIBRARIES_H

#include <bzlib.h>
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#define CARCHIVE_ZLIB_FUNCTIONS(each)                                                                                   \
    each(inflateInit2_) each(inflate) each(inflateReset) each(inflateEnd)                                              \
    each(deflateInit2_) each(deflate) each(deflateEnd) each(crc32)

#define CARCHIVE_LZMA_FUNCTIONS(each) each(lzma_stream_decoder) each(lzma_code) each(lzma_end)

#define CARCHIVE_BZIP2_FUNCTIONS(each) each(BZ2_bzDecompressInit) each(BZ2_bzDecompress) each(BZ2_bzDecompressEnd)

#define CARCHIVE_ZSTD_FUNCTIONS(each)                                                                                   \
    each(ZSTD_createDCtx) each(ZSTD_freeDCtx) each(ZSTD_DCtx_reset) each(ZSTD_DCtx_setParameter)                       \
    each(ZSTD_decompressStream) each(ZSTD_isError) each(ZSTD_getErrorCode) each(ZSTD_getErrorName)

#define CARCHIVE_DECLARE(name) extern __typeof__(&name) library_##name;
CARCHIVE_ZLIB_FUNCTIONS(CARCHIVE_DECLARE)
CARCHIVE_LZMA_FUNCTIONS(CARCHIVE_DECLARE)
CARCHIVE_BZIP2_FUNCTIONS(CARCHIVE_DECLARE)
CARCHIVE_ZSTD_FUNCTIONS(CARCHIVE_DECLARE)
#undef CARCHIVE_DECLARE

#endif
