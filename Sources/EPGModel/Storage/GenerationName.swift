/// The name of a generation of the guide: `42`, or `42.k3f9` in full.
///
/// Every database counts from 1, so a number alone may come to mean another guide. The full name includes a hash of the
/// generation's nonce (``GuideVersion``) and of the edition of what is made of the guide, so that it means one state of one guide
/// forever.
package struct GenerationName: Hashable, Sendable {
    package let generation: Generation
    /// Digits and lowercase letters that tell generations and editions apart; `nil` for a number alone.
    package let key: String?

    /// The full name of a version of the guide.
    ///
    /// - Parameter edition: Everything that determines what is made of the guide besides the guide.
    package init(_ version: GuideVersion, edition: String) {
        generation = version.generation
        let hasher = ContentHasher(
            key: ContentHash(high: 0x9E37_79B9_7F4A_7C15, low: UInt64(bitPattern: version.nonce)))
        key = String(hasher.hash(Array(edition.utf8).span).high, radix: 36)
    }

    /// Parses a name; `nil` for anything else.
    package init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        guard let number = parts.first.flatMap({ String($0) }), number.utf8.allSatisfy({ 0x30...0x39 ~= $0 }),
            let generation = Int64(number)
        else { return nil }
        self.generation = Generation(generation)
        guard parts.count > 1 else {
            key = nil
            return
        }
        let isKey = parts[1].allSatisfy { 0x30...0x39 ~= $0 || 0x61...0x7A ~= $0 }
        guard isKey, (1...13).contains(parts[1].count) else { return nil }
        key = String(parts[1])
    }

    /// Whether the name means the generation with this full name.
    package func means(_ full: GenerationName) -> Bool {
        generation == full.generation && (key == nil || key == full.key)
    }
}

extension GenerationName: CustomStringConvertible {
    package var description: String { key.map { "\(generation).\($0)" } ?? "\(generation)" }
}
