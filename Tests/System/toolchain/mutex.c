// Makes Swift's `Mutex` known to the thread sanitizer. Its slow paths are in a library without instrumentation on Linux, so the
// sanitizer would report everything that a contended mutex protects as a race. The test process loads this library first.
//   clang -shared -fPIC -o mutex.so mutex.c
//
// Each slow path still calls the original: a mutex that the sanitizer wrongly considers locked would hide races.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

// Missing in processes without the sanitizer, such as `swift test` itself.
__attribute__((weak)) void __tsan_acquire(void *address);
__attribute__((weak)) void __tsan_release(void *address);

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))
// Synchronization._MutexHandle._lockSlow(UInt32) and ._unlockSlow()
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

typedef SWIFT void (*Lock)(uint32_t thread, SELF void *mutex);
typedef SWIFT void (*Unlock)(SELF void *mutex);

SWIFT void lock_slow(uint32_t thread, SELF void *mutex) __asm__(LOCK);
SWIFT void unlock_slow(SELF void *mutex) __asm__(UNLOCK);

SWIFT void lock_slow(uint32_t thread, SELF void *mutex) {
    ((Lock)dlsym(RTLD_NEXT, LOCK))(thread, mutex);
    if (__tsan_acquire) __tsan_acquire(mutex);
}

SWIFT void unlock_slow(SELF void *mutex) {
    if (__tsan_release) __tsan_release(mutex);
    ((Unlock)dlsym(RTLD_NEXT, UNLOCK))(mutex);
}
