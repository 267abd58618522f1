#ifndef CPAGE_OPENAPI_H
#define CPAGE_OPENAPI_H

#include <stddef.h>

/// The OpenAPI document in Assets (YAML), and its size in bytes. It lives as long as the program.
const unsigned char *cpage_openapi(size_t *count);

#endif
