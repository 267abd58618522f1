#include "CResources.h"

// `#embed` is part of C23. Clang supports it in all C versions, with a warning. `.embedInCode` of SwiftPM takes 20 seconds for 78 kB.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char example_yml[] = {
#embed "../../EPGConfig/example.yml" suffix(, )
    0};
static const unsigned char genres_txt[] = {
#embed "../../EPGOutput/Genres/genres.txt" suffix(, )
    0};
static const unsigned char schema_sql[] = {
#embed "../../../schema.sql" suffix(, )
    0};

const char *cresources_example_yml(void) { return (const char *)example_yml; }
const char *cresources_genres_txt(void) { return (const char *)genres_txt; }
const char *cresources_schema_sql(void) { return (const char *)schema_sql; }
