import EPGModel

/// A strong entity tag (RFC 9110, 8.8.3): the same tag, the same bytes.
struct EntityTag: Hashable, Sendable {
    /// With its quotation marks.
    let value: String

    /// The tag of the answer that an address has at a version of the guide, in one encoding.
    ///
    /// - Parameters:
    ///   - version: What tells guides apart, see ``GuideVersion``.
    ///   - edition: What tells services apart that have the same guide, see ``Edition/name``.
    ///   - key: The canonical address.
    init(version: GuideVersion, edition: String, key: String, isCompressed: Bool) {
        var hash = FNV1a()
        hash.combine("\(version.nonce)")
        hash.combine(edition)
        hash.combine(key)
        let tag = String(version.generation.rawValue, radix: 36) + "-" + String(hash.value, radix: 36)
        value = "\"" + tag + (isCompressed ? "-gz\"" : "\"")
    }

    /// Whether a condition (`If-None-Match`, RFC 9110, 13.1.2) names this tag; weak tags count, as they do there.
    func isNamed(in condition: String) -> Bool {
        condition.split(separator: ",").contains { part in
            var tag = part.drop { $0 == " " || $0 == "\t" }
            while tag.last == " " || tag.last == "\t" { tag.removeLast() }
            if tag == "*" { return true }
            if tag.hasPrefix("W/") { tag = tag.dropFirst(2) }
            return tag == value
        }
    }
}

/// The hash FNV-1a with 64 bits: quick, and the same in every run.
struct FNV1a: Sendable {
    private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

    mutating func combine(_ text: String) {
        for byte in text.utf8 { combine(byte) }
        // No text has this byte, so that two texts can't run into each other.
        combine(0xFF)
    }

    private mutating func combine(_ byte: UInt8) {
        value = (value ^ UInt64(byte)) &* 0x100_0000_01b3
    }
}
