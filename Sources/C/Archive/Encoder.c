#include "CArchive.h"

#include <stdlib.h>
#include <zlib.h>

struct carchive_encoder {
    z_stream stream;
};

carchive_encoder *carchive_encoder_new(int level) {
    carchive_encoder *encoder = calloc(1, sizeof *encoder);
    if (!encoder) return NULL;
    // 16 selects the gzip format with header and trailer.
    int code = deflateInit2(&encoder->stream, level, Z_DEFLATED, 16 + MAX_WBITS, MAX_MEM_LEVEL, Z_DEFAULT_STRATEGY);
    if (code == Z_OK) return encoder;
    free(encoder);
    return NULL;
}

void carchive_encoder_free(carchive_encoder *encoder) {
    if (!encoder) return;
    deflateEnd(&encoder->stream);
    free(encoder);
}

carchive_outcome carchive_encode(carchive_encoder *encoder, const uint8_t *input, size_t *input_count, uint8_t *output,
                                 size_t *output_count, int finish) {
    static const size_t maximum_count = 1u << 30;
    // The caller passes the rest of a larger input in later calls.
    if (*input_count > maximum_count) {
        *input_count = maximum_count;
        finish = 0;
    }
    if (*output_count > maximum_count) *output_count = maximum_count;
    z_stream *stream = &encoder->stream;
    stream->next_in = (Bytef *)input;
    stream->avail_in = (uInt)*input_count;
    stream->next_out = output;
    stream->avail_out = (uInt)*output_count;
    int code = deflate(stream, finish ? Z_FINISH : Z_NO_FLUSH);
    *input_count -= stream->avail_in;
    *output_count -= stream->avail_out;
    if (code == Z_STREAM_END) return CARCHIVE_END;
    return code == Z_OK || code == Z_BUF_ERROR ? CARCHIVE_MORE : CARCHIVE_DAMAGED;
}
