#include "OpenAPI.h"

// `#embed` is part of C23. Clang supports it in all C versions, with a warning.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char document[] = {
#embed "Assets/openapi.yaml"
};

const unsigned char *cpage_openapi(size_t *count) {
    *count = sizeof document;
    return document;
}
