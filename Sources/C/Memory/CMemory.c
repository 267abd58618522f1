#include <stdlib.h>
#include "CMemory.h"

#ifdef __GLIBC__
#include <malloc.h>

void cmemory_keep_freed(void) {
    mallopt(M_TRIM_THRESHOLD, 64 << 20);
    mallopt(M_MMAP_THRESHOLD, 4 << 20);
}

void cmemory_give_back(void) {
    malloc_trim(64 << 20);
}
#else
void cmemory_keep_freed(void) {}
void cmemory_give_back(void) {}
#endif
