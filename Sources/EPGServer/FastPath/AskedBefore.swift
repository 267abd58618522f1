import Synchronization

/// Remembers which targets were asked for lately, in a few kilobytes: one of them now and then is forgotten, or taken for
/// another one.
final class AskedBefore: Sendable {
    private static let count = 4096

    /// The hash of the target that was last noted at each place.
    private let hashes = Mutex([UInt64](repeating: 0, count: AskedBefore.count))

    /// Notes a target of an epoch; whether it was noted before.
    func note(_ target: String, epoch: UInt64) -> Bool {
        var hash = FNV1a()
        hash.combine(target)
        let value = hash.value &+ epoch &* 0x9E37_79B9_7F4A_7C15
        return hashes.withLock { hashes in
            let place = Int(truncatingIfNeeded: value >> 40) & (AskedBefore.count - 1)
            defer { hashes[place] = value }
            return hashes[place] == value
        }
    }
}
