#include "CPostgres.h"
#include "CLibrary.h"

#define POINTER(result, name, ...) CLIBRARY_POINTER(PQ##name)
CPOSTGRES_FUNCTIONS(POINTER)

const char *cpostgres_load(void) {
#define ENTRY(result, name, ...) CLIBRARY_ENTRY(PQ##name)
    static const struct clibrary_function functions[] = {CPOSTGRES_FUNCTIONS(ENTRY)};
    return clibrary_load(CLIBRARY_pq, functions, sizeof functions / sizeof *functions);
}

#define CALL(result, name, parameters, arguments) \
    result cpostgres_##name parameters { return library_PQ##name arguments; }
CPOSTGRES_FUNCTIONS(CALL)
