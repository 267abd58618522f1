package import XMLTV

/// A file's name with places that a programme fills: `%channel` with the identifier of its channel, and directives of
/// `date` with its start as the guide writes it, in the zone of the guide.
///
///     %Y 2026     %y 26    %m 03     %d 29    %e " 9"   %j 088    %B March   %b %h Mar    %A Sunday   %a Sun
///     %u 7 (Mon=1)         %H 20     %k " 8"  %I 08     %p PM     %M 30      %S 00        %s 1774740600
///     %z +0100    %Q 20260329                 %q 20260329203000              %% %
package struct SplitTemplate: Sendable {
    private enum Piece: Sendable {
        case text(String)
        case channel
        case directive(Character)
    }

    private static let directives: Set<Character> = [
        "Y", "y", "m", "d", "e", "j", "B", "b", "h", "A", "a", "u", "H", "k", "I", "p", "M", "S", "s", "z", "Q", "q",
    ]

    private let pieces: [Piece]

    /// Whether each channel has files of its own.
    package var namesChannel: Bool {
        pieces.contains { if case .channel = $0 { true } else { false } }
    }

    /// Reads a template.
    package init(_ text: String) throws(SplitTemplateError) {
        var pieces: [Piece] = []
        var literal = ""
        var rest = text[...]
        while let character = rest.popFirst() {
            guard character == "%" else {
                literal.append(character)
                continue
            }
            if rest.hasPrefix("channel") {
                rest = rest.dropFirst("channel".count)
                pieces += [.text(literal), .channel]
                literal = ""
            } else if let directive = rest.popFirst() {
                if directive == "%" {
                    literal.append("%")
                    continue
                }
                guard SplitTemplate.directives.contains(directive) else { throw .unknownDirective(directive) }
                pieces += [.text(literal), .directive(directive)]
                literal = ""
            } else {
                throw .lonelyPercent
            }
        }
        pieces.append(.text(literal))
        guard pieces.count > 1 else { throw .nothingToFill }
        self.pieces = pieces
    }

    /// The file for a programme.
    ///
    /// In the identifier of the channel `%`, `/`, control characters and a dot at its beginning are written as `%` and two
    /// hexadecimal digits, so that no guide chooses a folder.
    package func fileName(channel: String, start: XMLTVTime) -> String {
        pieces.map { piece in
            switch piece {
            case .text(let text): text
            case .channel: SplitTemplate.safe(channel)
            case .directive(let directive): start.text(of: directive)
            }
        }.joined()
    }

    private static func safe(_ channel: String) -> String {
        var bytes: [UInt8] = []
        for (index, byte) in channel.utf8.enumerated() {
            switch byte {
            case 0..<0x20, 0x7F, UInt8(ascii: "%"), UInt8(ascii: "/"),
                UInt8(ascii: ".") where index == 0 || byte != 0x2E:
                let digits = String(byte, radix: 16, uppercase: true)
                bytes += Array((digits.utf8.count == 1 ? "%0" : "%").utf8) + Array(digits.utf8)
            default: bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// Why a text is no template.
package enum SplitTemplateError: Error, Hashable, Sendable {
    case unknownDirective(Character)
    /// A `%` with nothing behind it.
    case lonelyPercent
    /// Nothing that a programme fills.
    case nothingToFill
}

extension SplitTemplateError: CustomStringConvertible {
    /// What is wrong, and what to do, in English.
    package var description: String {
        switch self {
        case .unknownDirective(let directive):
            "%\(directive) is unknown. Use %channel, %Y %m %d %j %H %M %S %a %A %u %b %B %e %k %I %p %s %y %z %Q %q or %%."
        case .lonelyPercent: "The template ends with %. Write %% for a percent sign."
        case .nothingToFill: "The template is the same for every programme. Use for example %channel-%Y%m%d.xml."
        }
    }
}
