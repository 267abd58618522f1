import EPGCalendar
import EPGModel
package import XMLTV

/// A template for file names, filled in for each programme: `%channel` is the identifier of its channel, and directives
/// of `date` give its start as written, in the time zone of the guide.
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

    /// Whether each channel has its own files.
    package var namesChannel: Bool {
        pieces.contains { if case .channel = $0 { true } else { false } }
    }

    /// Parses a template.
    ///
    /// - Throws: ``SplitTemplateError``, also if no directive depends on the programme.
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
                throw .trailingPercent
            }
        }
        pieces.append(.text(literal))
        guard pieces.count > 1 else { throw .missingDirective }
        self.pieces = pieces
    }

    /// Returns the file name for a programme.
    ///
    /// In the channel identifier, `%`, `/`, control characters, and a leading period are replaced by `%` and two
    /// hexadecimal digits, so that a guide can't choose the folder.
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
                bytes += byte.percentEncoded.utf8
            default: bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// The reason why a text is not a valid template.
package enum SplitTemplateError: Error, Hashable, Sendable {
    /// `%` followed by this character, which is no directive.
    case unknownDirective(Character)
    /// A trailing `%`.
    case trailingPercent
    /// The template has no directive that depends on the programme.
    case missingDirective
}

extension SplitTemplateError: CustomStringConvertible {
    /// The error message: what is wrong, and what to do.
    package var description: String {
        switch self {
        case .unknownDirective(let directive):
            "Unknown directive %\(directive). Use %channel, %Y %m %d %j %H %M %S %a %A %u %b %B %e %k %I %p %s %y %z %Q %q or %%."
        case .trailingPercent: "The template ends with %. Write %% for a percent sign."
        case .missingDirective: "The template is the same for every programme. Use, for example, %channel-%Y%m%d.xml."
        }
    }
}

extension XMLTVTime {
    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]
    private static let weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]

    /// Returns the value of a directive of ``SplitTemplate`` for the time as written; empty for an unknown directive.
    func text(of directive: Character) -> String {
        let local = LocalDateTime(secondsSince1970: localSeconds)
        let date = local.date
        let hour12 = (local.hour + 11) % 12 + 1
        let month = XMLTVTime.months[(date.month - 1) % 12]
        let weekday = XMLTVTime.weekdays[date.weekday.rawValue - 1]
        let day = XMLTVTime.padded(date.year, 4) + XMLTVTime.padded(date.month, 2) + XMLTVTime.padded(date.day, 2)
        switch directive {
        case "Y": return XMLTVTime.padded(date.year, 4)
        case "y": return XMLTVTime.padded(date.year % 100, 2)
        case "m": return XMLTVTime.padded(date.month, 2)
        case "d": return XMLTVTime.padded(date.day, 2)
        case "e": return XMLTVTime.padded(date.day, 2, with: " ")
        case "j": return XMLTVTime.padded(dayOfYear(date), 3)
        case "B": return month
        case "b", "h": return String(month.prefix(3))
        case "A": return weekday
        case "a": return String(weekday.prefix(3))
        case "u": return String(date.weekday.rawValue)
        case "H": return XMLTVTime.padded(local.hour, 2)
        case "k": return XMLTVTime.padded(local.hour, 2, with: " ")
        case "I": return XMLTVTime.padded(hour12, 2)
        case "p": return local.hour < 12 ? "AM" : "PM"
        case "M": return XMLTVTime.padded(local.minute, 2)
        case "S": return XMLTVTime.padded(local.second, 2)
        case "s": return String(secondsSince1970)
        case "z": return offsetText
        case "Q": return day
        case "q":
            return day + XMLTVTime.padded(local.hour, 2) + XMLTVTime.padded(local.minute, 2)
                + XMLTVTime.padded(local.second, 2)
        default: return ""
        }
    }

    /// The day of the year, from 1.
    private func dayOfYear(_ date: CivilDate) -> Int64 {
        guard let first = CivilDate(year: date.year, month: 1, day: 1) else { return 1 }
        return date.daysSince1970 - first.daysSince1970 + 1
    }

    /// The offset, such as `+0100`; `+0000` if no zone was written.
    private var offsetText: String {
        let minutes = (utcOffset ?? 0) / 60
        let size = minutes.magnitude
        return (minutes < 0 ? "-" : "+") + XMLTVTime.padded(size / 60, 2) + XMLTVTime.padded(size % 60, 2)
    }

    private static func padded(_ number: some BinaryInteger, _ width: Int, with filler: String = "0") -> String {
        let digits = String(number)
        return String(repeating: filler, count: max(0, width - digits.count)) + digits
    }
}
