import Foundation
import StoreConformance
import TestSupport

/// A sequence of damaged copies of a file that alternate between a flipped bit and truncation.
struct DamagedFile {
    private let intact: Data
    private var generator: SeededGenerator
    private var count = 0

    init(_ intact: Data, seed: UInt64) {
        self.intact = intact
        generator = SeededGenerator(seed: seed)
    }

    /// The number of copies of each kind.
    static let cases = TestScope.cases(100)

    /// Returns the next copy with a description of its fault.
    mutating func next() -> (bytes: Data, fault: String) {
        count += 1
        var bytes = intact
        if count % 2 == 0 {
            let length = Int.random(in: 0..<intact.count, using: &generator)
            return (bytes.prefix(length), "truncated to \(length) bytes")
        }
        // Every fourth flipped bit is in the first page, on which all other pages depend.
        let room = count % 8 == 1 ? 4096 : intact.count
        let place = Int.random(in: 0..<room, using: &generator)
        let bit = UInt8(1) << UInt8.random(in: 0..<8, using: &generator)
        bytes[place] ^= bit
        return (bytes, "byte \(place) ^ \(bit)")
    }
}
