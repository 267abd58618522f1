#include "CArchive.h"
#include "CLibrary.h"

#include <bzlib.h>
#include <lzma.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#define LZMA(F) F(lzma_stream_decoder) F(lzma_code) F(lzma_end)
CLIBRARY_FUNCTIONS(lzma, LZMA)

#define BZIP2(F) F(BZ2_bzDecompressInit) F(BZ2_bzDecompress) F(BZ2_bzDecompressEnd)
CLIBRARY_FUNCTIONS(bzip2, BZIP2)

#define ZSTD(F)                                                                                       \
    F(ZSTD_createDCtx) F(ZSTD_freeDCtx) F(ZSTD_DCtx_reset) F(ZSTD_DCtx_setParameter)                  \
    F(ZSTD_decompressStream) F(ZSTD_isError) F(ZSTD_getErrorCode) F(ZSTD_getErrorName)
CLIBRARY_FUNCTIONS(zstd, ZSTD)

const char *carchive_load(carchive_format format) {
    switch (format) {
    case CARCHIVE_GZIP:
    case CARCHIVE_DEFLATE: return NULL;
    case CARCHIVE_XZ: return load_lzma();
    case CARCHIVE_BZIP2: return load_bzip2();
    case CARCHIVE_ZSTD: return load_zstd();
    }
    return "unknown format";
}

// The maximum input and output of one call in bytes, so that counts fit the libraries' 32-bit fields.
static const size_t maximum_count = 1u << 30;

struct carchive_decoder {
    carchive_format format;
    uint64_t window;
    // The message of the last CARCHIVE_DAMAGED.
    const char *message;
    // Whether the state below owns memory of the library.
    int is_open;
    union {
        z_stream zlib;
        lzma_stream lzma;
        bz_stream bzip2;
        ZSTD_DCtx *zstd;
    };
};

// Bytes of memory that liblzma needs in addition to the dictionary.
static const uint64_t lzma_overhead = 2u << 20;

static int window_log(uint64_t window) {
    int log = 10;
    while (log < 31 && (UINT64_C(2) << log) <= window) log++;
    return log;
}

static void close_stream(carchive_decoder *decoder) {
    if (!decoder->is_open) return;
    decoder->is_open = 0;
    switch (decoder->format) {
    case CARCHIVE_GZIP:
    case CARCHIVE_DEFLATE: inflateEnd(&decoder->zlib); break;
    case CARCHIVE_XZ: library_lzma_end(&decoder->lzma); break;
    case CARCHIVE_BZIP2: library_BZ2_bzDecompressEnd(&decoder->bzip2); break;
    case CARCHIVE_ZSTD: library_ZSTD_freeDCtx(decoder->zstd); break;
    }
}

static int open_stream(carchive_decoder *decoder) {
    switch (decoder->format) {
    case CARCHIVE_GZIP:
    case CARCHIVE_DEFLATE:
        memset(&decoder->zlib, 0, sizeof decoder->zlib);
        // 16 selects the gzip format with header and trailer, and a negative number raw deflate.
        int bits = decoder->format == CARCHIVE_GZIP ? 16 + MAX_WBITS : -MAX_WBITS;
        decoder->is_open = inflateInit2(&decoder->zlib, bits) == Z_OK;
        break;
    case CARCHIVE_XZ: {
        lzma_stream empty = LZMA_STREAM_INIT;
        decoder->lzma = empty;
        decoder->is_open = library_lzma_stream_decoder(&decoder->lzma, decoder->window + lzma_overhead, 0) == LZMA_OK;
        break;
    }
    case CARCHIVE_BZIP2:
        memset(&decoder->bzip2, 0, sizeof decoder->bzip2);
        decoder->is_open = library_BZ2_bzDecompressInit(&decoder->bzip2, 0, 0) == BZ_OK;
        break;
    case CARCHIVE_ZSTD:
        decoder->zstd = library_ZSTD_createDCtx();
        decoder->is_open = decoder->zstd != NULL;
        if (decoder->is_open)
            library_ZSTD_DCtx_setParameter(decoder->zstd, ZSTD_d_windowLogMax, window_log(decoder->window));
        break;
    }
    return decoder->is_open;
}

carchive_decoder *carchive_decoder_new(carchive_format format, uint64_t window) {
    carchive_decoder *decoder = calloc(1, sizeof *decoder);
    if (!decoder) return NULL;
    decoder->format = format;
    decoder->window = window < (UINT64_C(1) << 40) ? window : UINT64_C(1) << 40;
    decoder->message = "";
    if (open_stream(decoder)) return decoder;
    free(decoder);
    return NULL;
}

void carchive_decoder_free(carchive_decoder *decoder) {
    if (!decoder) return;
    close_stream(decoder);
    free(decoder);
}

int carchive_decoder_restart(carchive_decoder *decoder) {
    switch (decoder->format) {
    case CARCHIVE_GZIP:
    case CARCHIVE_DEFLATE:
        if (decoder->is_open) return inflateReset(&decoder->zlib) == Z_OK;
        return open_stream(decoder);
    case CARCHIVE_ZSTD:
        if (decoder->is_open) return !library_ZSTD_isError(library_ZSTD_DCtx_reset(decoder->zstd, ZSTD_reset_session_only));
        return open_stream(decoder);
    case CARCHIVE_XZ:
    case CARCHIVE_BZIP2:
        close_stream(decoder);
        return open_stream(decoder);
    }
    return 0;
}

const char *carchive_error_message(const carchive_decoder *decoder) { return decoder->message; }

static carchive_outcome damaged(carchive_decoder *decoder, const char *message) {
    decoder->message = message;
    return CARCHIVE_DAMAGED;
}

static carchive_outcome decode_zlib(carchive_decoder *decoder, const uint8_t *input, size_t *input_count,
                                    uint8_t *output, size_t *output_count) {
    z_stream *stream = &decoder->zlib;
    stream->next_in = (Bytef *)input;
    stream->avail_in = (uInt)*input_count;
    stream->next_out = output;
    stream->avail_out = (uInt)*output_count;
    int code = inflate(stream, Z_NO_FLUSH);
    *input_count -= stream->avail_in;
    *output_count -= stream->avail_out;
    switch (code) {
    case Z_OK:
    case Z_BUF_ERROR: return CARCHIVE_MORE;
    case Z_STREAM_END: return CARCHIVE_END;
    case Z_MEM_ERROR: return CARCHIVE_NO_MEMORY;
    case Z_NEED_DICT: return damaged(decoder, "a dictionary is required");
    default: return damaged(decoder, stream->msg ? stream->msg : "invalid data");
    }
}

static carchive_outcome decode_lzma(carchive_decoder *decoder, const uint8_t *input, size_t *input_count,
                                    uint8_t *output, size_t *output_count) {
    lzma_stream *stream = &decoder->lzma;
    stream->next_in = input;
    stream->avail_in = *input_count;
    stream->next_out = output;
    stream->avail_out = *output_count;
    lzma_ret code = library_lzma_code(stream, LZMA_RUN);
    *input_count -= stream->avail_in;
    *output_count -= stream->avail_out;
    switch (code) {
    case LZMA_OK:
    case LZMA_BUF_ERROR: return CARCHIVE_MORE;
    case LZMA_STREAM_END: return CARCHIVE_END;
    case LZMA_MEM_ERROR: return CARCHIVE_NO_MEMORY;
    case LZMA_MEMLIMIT_ERROR: return CARCHIVE_WINDOW_TOO_LARGE;
    case LZMA_FORMAT_ERROR: return damaged(decoder, "not in xz format");
    case LZMA_OPTIONS_ERROR: return damaged(decoder, "a feature that liblzma does not support");
    default: return damaged(decoder, "invalid data or checksum");
    }
}

static carchive_outcome decode_bzip2(carchive_decoder *decoder, const uint8_t *input, size_t *input_count,
                                     uint8_t *output, size_t *output_count) {
    bz_stream *stream = &decoder->bzip2;
    stream->next_in = (char *)input;
    stream->avail_in = (unsigned)*input_count;
    stream->next_out = (char *)output;
    stream->avail_out = (unsigned)*output_count;
    int code = library_BZ2_bzDecompress(stream);
    *input_count -= stream->avail_in;
    *output_count -= stream->avail_out;
    switch (code) {
    case BZ_OK: return CARCHIVE_MORE;
    case BZ_STREAM_END: return CARCHIVE_END;
    case BZ_MEM_ERROR: return CARCHIVE_NO_MEMORY;
    case BZ_DATA_ERROR_MAGIC: return damaged(decoder, "not in bzip2 format");
    default: return damaged(decoder, "invalid data or checksum");
    }
}

static carchive_outcome decode_zstd(carchive_decoder *decoder, const uint8_t *input, size_t *input_count,
                                    uint8_t *output, size_t *output_count) {
    ZSTD_inBuffer from = {input, *input_count, 0};
    ZSTD_outBuffer to = {output, *output_count, 0};
    size_t result = library_ZSTD_decompressStream(decoder->zstd, &to, &from);
    *input_count = from.pos;
    *output_count = to.pos;
    if (!library_ZSTD_isError(result)) return result == 0 ? CARCHIVE_END : CARCHIVE_MORE;
    switch (library_ZSTD_getErrorCode(result)) {
    case ZSTD_error_frameParameter_windowTooLarge: return CARCHIVE_WINDOW_TOO_LARGE;
    case ZSTD_error_memory_allocation: return CARCHIVE_NO_MEMORY;
    default: return damaged(decoder, library_ZSTD_getErrorName(result));
    }
}

carchive_outcome carchive_decode(carchive_decoder *decoder, const uint8_t *input, size_t *input_count, uint8_t *output,
                                 size_t *output_count) {
    if (*input_count > maximum_count) *input_count = maximum_count;
    if (*output_count > maximum_count) *output_count = maximum_count;
    if (!decoder->is_open) {
        *input_count = *output_count = 0;
        return CARCHIVE_NO_MEMORY;
    }
    switch (decoder->format) {
    case CARCHIVE_GZIP:
    case CARCHIVE_DEFLATE: return decode_zlib(decoder, input, input_count, output, output_count);
    case CARCHIVE_XZ: return decode_lzma(decoder, input, input_count, output, output_count);
    case CARCHIVE_BZIP2: return decode_bzip2(decoder, input, input_count, output, output_count);
    case CARCHIVE_ZSTD: return decode_zstd(decoder, input, input_count, output, output_count);
    }
    return CARCHIVE_DAMAGED;
}

uint32_t carchive_crc32(uint32_t crc, const uint8_t *bytes, size_t count) {
    while (count > 0) {
        size_t piece = count < maximum_count ? count : maximum_count;
        crc = (uint32_t)crc32(crc, bytes, (uInt)piece);
        bytes += piece;
        count -= piece;
    }
    return crc;
}
