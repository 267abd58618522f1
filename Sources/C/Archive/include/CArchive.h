// The compression libraries zlib, which the program links, and liblzma, libbz2, and libzstd, each loaded on first use.
//
// Every Debian and Ubuntu system has all four, because dpkg needs them. Their headers are required to build (zlib1g-dev,
// liblzma-dev, libbz2-dev, libzstd-dev).
// libarchive, which wraps the same four, isn't used: it doesn't check the CRC of gzip, and loses up to 64 KiB before
// the end of a truncated file.

#ifndef CARCHIVE_H
#define CARCHIVE_H

#include <stddef.h>
#include <stdint.h>

typedef enum {
    /// One member of a gzip file, with its header and trailer (RFC 1952).
    CARCHIVE_GZIP,
    /// A raw deflate stream (RFC 1951), as in zip files.
    CARCHIVE_DEFLATE,
    CARCHIVE_XZ,
    CARCHIVE_BZIP2,
    CARCHIVE_ZSTD,
} carchive_format;

typedef enum {
    /// Success. More input or output room may be needed to continue.
    CARCHIVE_MORE,
    /// The end of the member, stream, or frame, with a correct checksum.
    CARCHIVE_END,
    /// The input is invalid; see carchive_error_message().
    CARCHIVE_DAMAGED,
    /// The input requires a larger window than allowed.
    CARCHIVE_WINDOW_TOO_LARGE,
    /// The system is out of memory.
    CARCHIVE_NO_MEMORY,
} carchive_outcome;

/// Loads the library for a format once. Safe to call from any thread.
///
/// Returns NULL on success, or the error message. The string is static.
const char *carchive_load(carchive_format format);

typedef struct carchive_decoder carchive_decoder;

/// Creates a decoder for consecutive members. Returns NULL if out of memory. Requires a successful carchive_load() of
/// the format. `window` is the maximum window or dictionary size in bytes for xz and zstd.
carchive_decoder *carchive_decoder_new(carchive_format format, uint64_t window);
void carchive_decoder_free(carchive_decoder *decoder);

/// Prepares the decoder for the next member. Returns 0 if out of memory.
int carchive_decoder_restart(carchive_decoder *decoder);

/// Decompresses from `input` to `output`. The counts are the sizes of the buffers and, on return, the numbers of bytes
/// consumed and produced. Output before an error is valid, but no checksum has verified it.
carchive_outcome carchive_decode(carchive_decoder *decoder, const uint8_t *input, size_t *input_count, uint8_t *output,
                                 size_t *output_count);

/// Returns the error message for invalid input. It stays valid until the decoder is used again.
const char *carchive_error_message(const carchive_decoder *decoder);

/// Returns the CRC-32 of zip and gzip, continued from a previous one or from 0.
uint32_t carchive_crc32(uint32_t crc, const uint8_t *bytes, size_t count);

typedef struct carchive_encoder carchive_encoder;

/// Creates an encoder for one gzip member without a name or time in its header. Returns NULL if out of memory.
/// `level` is from 1 (fast) to 9 (small).
carchive_encoder *carchive_encoder_new(int level);
void carchive_encoder_free(carchive_encoder *encoder);

/// Compresses from `input` to `output`, with counts as for carchive_decode(). Set `finish` when `input` holds the last
/// bytes, and repeat the call until it returns CARCHIVE_END.
carchive_outcome carchive_encode(carchive_encoder *encoder, const uint8_t *input, size_t *input_count, uint8_t *output,
                                 size_t *output_count, int finish);

#endif
