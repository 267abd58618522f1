/// FNV-1a, 64 bits: the same number for the same bytes in every run of every program (draft-eastlake-fnv, 2 and 5).
///
/// It spreads values; it keeps nobody from finding collisions.
struct FowlerNollVoHash {
    private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

    mutating func combine(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }
    }

    /// Takes in eight bytes, the lowest first.
    mutating func combine(_ number: Int64) {
        combine((0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) })
    }
}
