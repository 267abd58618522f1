// The encoder of libwebp, loaded on first use: only epgd encodes pictures.
//
// Nothing here decodes: the bytes of strangers never reach libwebp.

#ifndef CWEBP_H
#define CWEBP_H

#include <stddef.h>
#include <stdint.h>

/// Loads libwebp once. Safe to call from any thread.
///
/// Returns NULL on success, or an error message. The string is static.
const char *cwebp_load(void);

/// Encodes `width * height` pixels of four bytes: red, green, blue and opacity, not premultiplied. Requires a successful
/// cwebp_load().
///
/// `quality` is from 0 (small) to 100 (good); a negative one encodes without loss. Returns the number of bytes at `*output`, which
/// the caller frees with cwebp_free(); 0 if it fails.
size_t cwebp_encode(const uint8_t *pixels, int width, int height, float quality, uint8_t **output);

void cwebp_free(uint8_t *output);

#endif
