// The compression libraries zlib, liblzma, libbz2 and libzstd, each loaded when it is first needed.
//
// The program doesn't link them: most commands unpack nothing. Every Debian and Ubuntu has all four, because dpkg needs
// them. Their headers are needed to build (zlib1g-dev, liblzma-dev, libbz2-dev, libzstd-dev). libarchive, which wraps
// the same four, isn't used: it doesn't check the CRC of gzip, and throws away up to 64 KiB before the end of a file
// that was cut off.

#ifndef CARCHIVE_H
#define CARCHIVE_H

#include <stddef.h>
#include <stdint.h>

typedef enum {
    /// One member of a gzip file, with its header and its trailer (RFC 1952).
    CARCHIVE_GZIP,
    /// A bare deflate stream (RFC 1951), as in zip files.
    CARCHIVE_DEFLATE,
    CARCHIVE_XZ,
    CARCHIVE_BZIP2,
    CARCHIVE_ZSTD,
} carchive_format;

typedef enum {
    /// It went on, or needs more input or more room to go on.
    CARCHIVE_MORE,
    /// The member, stream or frame is at its end, and its checksum is right.
    CARCHIVE_END,
    /// The input is wrong; see carchive_words().
    CARCHIVE_DAMAGED,
    /// The input needs a larger window than is allowed.
    CARCHIVE_WINDOW_TOO_LARGE,
    /// The system has no memory left.
    CARCHIVE_NO_MEMORY,
} carchive_outcome;

/// The file name of the library for a format; the text stays valid.
const char *carchive_library(carchive_format format);

/// Loads the library for a format, once; safe to call from any thread.
///
/// Returns NULL, or a text that says why it can't be loaded. The text stays valid.
const char *carchive_load(carchive_format format);

typedef struct carchive_decoder carchive_decoder;

/// A decoder for one member after the other, or NULL without memory. Needs an earlier carchive_load() of the format
/// that returned NULL. `window` is the largest window or dictionary in bytes that xz and zstd may ask for.
carchive_decoder *carchive_decoder_new(carchive_format format, uint64_t window);
void carchive_decoder_free(carchive_decoder *decoder);

/// Makes the decoder ready for the next member. Returns 0 without memory.
int carchive_decoder_restart(carchive_decoder *decoder);

/// Unpacks from `input` to `output`. The counts say how many bytes there are, and afterwards how many were taken and
/// made. What was made before a fault is good as far as can be told without the checksum.
carchive_outcome carchive_decode(carchive_decoder *decoder, const uint8_t *input, size_t *input_count, uint8_t *output,
                                 size_t *output_count);

/// What was wrong with the input; the text stays valid until the decoder is used again.
const char *carchive_words(const carchive_decoder *decoder);

/// The CRC of zip and gzip, continued from an earlier one or from 0. Needs a loaded CARCHIVE_DEFLATE or CARCHIVE_GZIP.
uint32_t carchive_crc32(uint32_t crc, const uint8_t *bytes, size_t count);

typedef struct carchive_encoder carchive_encoder;

/// An encoder for one gzip member, without a name and a time in its header, or NULL without memory. Needs an earlier
/// carchive_load(CARCHIVE_GZIP) that returned NULL. `level` is 1 (fast) to 9 (small).
carchive_encoder *carchive_encoder_new(int level);
void carchive_encoder_free(carchive_encoder *encoder);

/// Packs from `input` to `output`; the counts are as for carchive_decode(). With `finish`, all input has been handed in,
/// and calls go on until CARCHIVE_END.
carchive_outcome carchive_encode(carchive_encoder *encoder, const uint8_t *input, size_t *input_count, uint8_t *output,
                                 size_t *output_count, int finish);

#endif
