#include "CWebP.h"
#include "CLibrary.h"

// As in webp/encode.h, which has not changed since libwebp.so.7 (2018), so the build needs no header.
size_t WebPEncodeRGBA(const uint8_t *pixels, int width, int height, int stride, float quality, uint8_t **output);
size_t WebPEncodeLosslessRGBA(const uint8_t *pixels, int width, int height, int stride, uint8_t **output);
void WebPFree(void *output);

#define FUNCTIONS(F) F(WebPEncodeRGBA) F(WebPEncodeLosslessRGBA) F(WebPFree)
CLIBRARY_FUNCTIONS(webp, FUNCTIONS)

const char *cwebp_load(void) { return load_webp(); }

size_t cwebp_encode(const uint8_t *pixels, int width, int height, float quality, uint8_t **output) {
    if (quality < 0) return library_WebPEncodeLosslessRGBA(pixels, width, height, width * 4, output);
    return library_WebPEncodeRGBA(pixels, width, height, width * 4, quality, output);
}

void cwebp_free(uint8_t *output) { library_WebPFree(output); }
