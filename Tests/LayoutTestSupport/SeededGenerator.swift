/// A generator of random numbers that gives the same ones for the same seed (SplitMix64, S. Vigna, public domain).
package struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: UInt64) {
        state = seed
    }

    /// A new seed for each run; a test prints it where it fails, and can be run again with it.
    package static func anySeed() -> UInt64 { UInt64.random(in: 0...UInt64.max) }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
