import Foundation
import XMLTV

/// How much a run of the tests is asked to do.
enum TestRun {
    /// The plain debug run does less: it reads a fiftieth as fast.
    static var isDebug: Bool {
        #if DEBUG
            true
        #else
            false
        #endif
    }

    /// Whether all is asked for, however long it takes (`EPG_SLOW`).
    static var isSlow: Bool { ProcessInfo.processInfo.environment["EPG_SLOW"] != nil }

    /// Mutations to try (`EPG_MUTATIONS`); 2,000 unless something else is asked for.
    static var mutations: Int { number("EPG_MUTATIONS") ?? 2000 }

    /// Where the mutations begin (`EPG_SEED`); the same place in every run unless something else is asked for.
    static var seed: UInt64 { number("EPG_SEED").map { UInt64(clamping: $0) } ?? 20_231_127 }

    private static func number(_ name: String) -> Int? {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
    }
}

/// Numbers that look random and are the same for the same seed (SplitMix64).
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
    /// A source that gives bytes in chunks of the sizes that a closure asks for.
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
