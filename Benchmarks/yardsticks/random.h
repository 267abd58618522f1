// The random number generator shared by the benchmarks, so that all use the same viewports: SplitMix64 (Steele, Lea and Flood,
// 2014). Sources/viewport-benchmark/RandomViewports.swift is its Swift version.

#include <stdint.h>

static inline uint64_t random_next(uint64_t *state) {
    uint64_t mixed = (*state += 0x9E3779B97F4A7C15);
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB;
    return mixed ^ (mixed >> 31);
}

// Returns a number in [0, limit); the limit is above 0 and far below 2^64.
static inline uint64_t random_below(uint64_t *state, uint64_t limit) { return random_next(state) % limit; }
