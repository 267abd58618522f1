#include "OpenAPI.h"

// `#embed` is C23's; clang knows it in every C, and says so.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char document[] = {
#embed "Assets/openapi.yaml"
};

const unsigned char *cpage_openapi(size_t *count) {
    *count = sizeof document;
    return document;
}
