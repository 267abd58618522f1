// The generator of random numbers that the benchmarks share, so that all ask the same: splitmix64 (Steele, Lea and Flood,
// 2014). Sources/viewport-benchmark/RandomViewports.swift has it in Swift.

#include <stdint.h>

static inline uint64_t random_next(uint64_t *state) {
    uint64_t mixed = (*state += 0x9E3779B97F4A7C15);
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB;
    return mixed ^ (mixed >> 31);
}

// A number from 0 up to, not including, a limit, which is above 0 and far below 2^64.
static inline uint64_t random_below(uint64_t *state, uint64_t limit) { return random_next(state) % limit; }
