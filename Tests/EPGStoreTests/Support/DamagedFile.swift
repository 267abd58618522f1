import Foundation
import StoreConformance

/// Copies of a file with one fault each: every other one has a flipped bit, every other one is cut off.
struct DamagedFile {
    private let whole: Data
    private var generator: SeededGenerator
    private var count = 0

    init(_ whole: Data, seed: UInt64) {
        self.whole = whole
        generator = SeededGenerator(seed: seed)
    }

    /// How many a test makes: `EPG_DAMAGE_CASES` of each kind, 30 where it isn't set.
    static var cases: Int {
        ProcessInfo.processInfo.environment["EPG_DAMAGE_CASES"].flatMap { Int($0) } ?? 30
    }

    /// The next copy, and what is wrong with it.
    mutating func next() -> (bytes: Data, fault: String) {
        count += 1
        var bytes = whole
        if count % 2 == 0 {
            let length = Int.random(in: 0..<whole.count, using: &generator)
            return (bytes.prefix(length), "cut off after \(length) bytes")
        }
        // Each fourth in the first page, which all others hang on.
        let room = count % 8 == 1 ? 4096 : whole.count
        let place = Int.random(in: 0..<room, using: &generator)
        let bit = UInt8(1) << UInt8.random(in: 0..<8, using: &generator)
        bytes[place] ^= bit
        return (bytes, "byte \(place) ^ \(bit)")
    }
}
