import EPGModel

/// How addresses and clients name a generation of the guide: `42`, or `42.k3f9` in full.
///
/// Every database counts from 1, so the number alone can come to mean another guide. The full name is made of the generation's
/// nonce, too (``GuideVersion``): it means one guide, as one edition of the service shows it, forever.
struct GenerationName: Hashable, Sendable {
    let generation: Generation
    /// Digits and small letters that tell generations and editions apart; `nil` where the number stands alone.
    let key: String?

    /// The full name of a version of the guide.
    ///
    /// - Parameter edition: See ``Edition/name``.
    init(_ version: GuideVersion, edition: String) {
        generation = version.generation
        var hash = FNV1a()
        hash.combine("\(version.nonce)")
        hash.combine(edition)
        key = String(hash.value, radix: 36)
    }

    /// Reads a name; `nil` for anything else.
    init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        guard let number = parts.first.flatMap({ String($0) }), number.utf8.allSatisfy({ 0x30...0x39 ~= $0 }),
            let generation = Int64(number)
        else { return nil }
        self.generation = Generation(generation)
        guard parts.count > 1 else {
            key = nil
            return
        }
        guard (1...13).contains(parts[1].count), parts[1].allSatisfy(GenerationName.mayBeInKey) else { return nil }
        key = String(parts[1])
    }

    /// Whether it names what has this full name.
    func means(_ full: GenerationName) -> Bool {
        generation == full.generation && (key == nil || key == full.key)
    }

    private static func mayBeInKey(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
        default: false
        }
    }
}

extension GenerationName: CustomStringConvertible {
    var description: String { key.map { "\(generation).\($0)" } ?? "\(generation)" }
}
