// The version of swift-epg.

#ifndef CVERSION_H
#define CVERSION_H

/// Returns the version of the programs, such as `0.1.0`.
const char *cversion_number(void);

/// Returns the version, and for a build of `make release` the commit in parentheses: `0.1.0 (1f2e3d4c5b6a)`, with `-dirty`
/// if the working tree had changes.
const char *cversion_full(void);

#endif
