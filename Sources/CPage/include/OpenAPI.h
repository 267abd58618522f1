#ifndef CPAGE_OPENAPI_H
#define CPAGE_OPENAPI_H

#include <stddef.h>

/// The description of the API (YAML), as it stands in Assets; it lives as long as the program.
const unsigned char *cpage_openapi(size_t *count);

#endif
