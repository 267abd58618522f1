#include "CVersion.h"

// The one place that sets the version; Documentation/releasing.md lists the steps of a release.
#define VERSION "0.1.0"

// `make release` writes the file, which defines COMMIT, to a folder outside the sources, so that a new commit changes no source
// and the build ID depends on the sources alone.
#if __has_include("epg-commit.h")
#include "epg-commit.h"
#endif

const char *cversion_number(void) {
    return VERSION;
}

const char *cversion_full(void) {
#ifdef COMMIT
    return VERSION " (" COMMIT ")";
#else
    return VERSION;
#endif
}
