import EPGModel

/// What tells a database from every other, for everybody to see.
///
/// It is made of the key of content hashes one way: who knew that key could write a feed whose contents collide.
struct GuideFingerprint: Hashable, CustomStringConvertible {
    private let value: UInt64

    init(contentKey: ContentHash) {
        value = SipHash.hash("epg fingerprint".utf8, low: contentKey.low, high: contentKey.high)
    }

    /// Digits and small letters.
    var description: String { String(value, radix: 36) }
}
