import Foundation
import XMLTV

/// The scope of a test run.
enum TestRun {
    /// Whether this is a debug build, which does less because it is fifty times slower.
    static var isDebug: Bool {
        #if DEBUG
            true
        #else
            false
        #endif
    }

    /// The number of mutations to try (`EPG_MUTATIONS`). The default is 2,000, or 200 in debug builds.
    static var mutations: Int { number("EPG_MUTATIONS") ?? (isDebug ? 200 : 2000) }

    /// The seed of the mutations (`EPG_SEED`). By default, it is the same in every run.
    static var seed: UInt64 { number("EPG_SEED").map { UInt64(clamping: $0) } ?? 20_231_127 }

    /// Returns the processor time that a closure takes, in seconds. Unlike the elapsed time, it doesn't depend on other tests.
    static func processorSeconds(_ body: () throws -> Void) rethrows -> Double {
        func now() -> Double {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        }
        let start = now()
        try body()
        return now() - start
    }

    private static func number(_ name: String) -> Int? {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
    }
}

/// Pseudorandom numbers from a seed (SplitMix64).
struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

extension ChunkSource {
    /// Creates a source whose chunk sizes a closure determines.
    init(_ bytes: [UInt8], inChunksOf size: @escaping () -> Int) {
        var place = 0
        self.init {
            guard place < bytes.count else { return nil }
            let end = min(bytes.count, place + max(1, size()))
            defer { place = end }
            return Array(bytes[place..<end])
        }
    }
}
