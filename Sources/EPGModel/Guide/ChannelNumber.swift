/// The number of a channel in a lineup: one to four numbers with points or hyphens between them, such as `7` or `7.1`.
///
/// Channel numbers sort as numbers, part by part: 7 < 7.1 < 7.2 < 7.10 < 8.
public struct ChannelNumber: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The numbers, the major one first.
    public let parts: [Int]

    /// Reads a channel number; `nil` where the text is none, or a part exceeds 999,999.
    public init?(_ text: some StringProtocol) {
        var parts: [Int] = []
        for piece in text.split(omittingEmptySubsequences: false, whereSeparator: { $0 == "." || $0 == "-" }) {
            guard !piece.isEmpty, piece.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                let number = Int(piece), number <= 999_999
            else { return nil }
            parts.append(number)
        }
        guard (1...4).contains(parts.count) else { return nil }
        self.parts = parts
    }

    public static func < (lhs: ChannelNumber, rhs: ChannelNumber) -> Bool {
        lhs.parts.lexicographicallyPrecedes(rhs.parts)
    }

    /// The parts with points between them.
    public var description: String { parts.map(String.init).joined(separator: ".") }
}
