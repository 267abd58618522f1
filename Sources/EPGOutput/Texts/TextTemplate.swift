package import EPGModel

/// A template of a title, a subtitle or a description.
///
/// `{name}` is replaced by a value of the programme. If the value is missing, one adjacent space is omitted, too.
/// Brackets enclose a part that vanishes if any of its values is missing: `{title}[ (S{season:2}E{episode:2})]`. `{{`, `}}`,
/// `[[` and `]]` stand for the characters themselves.
package struct TextTemplate: Hashable, Sendable {
    /// The text of the template.
    package let text: String
    private let pieces: [Piece]

    private enum Piece: Hashable, Sendable {
        case text(String)
        case value(Value)
        case optional([Piece])
    }

    private struct Value: Hashable, Sendable {
        let name: ProgrammeValue
        /// The number of digits of a number, or the text of a mark.
        let argument: String?
    }

    /// The maximum length of a template in UTF-8.
    static let maximumLength = 1000

    /// Parses a template.
    ///
    /// - Throws: ``TextTemplateError`` with the reason and what is allowed.
    package init(_ text: String) throws(TextTemplateError) {
        guard !text.isEmpty, text.utf8.count <= Self.maximumLength else {
            throw TextTemplateError(reason: "expected a template of at most \(Self.maximumLength) bytes")
        }
        guard !text.unicodeScalars.contains(where: { $0.value < 0x20 && $0 != "\n" || $0.value == 0x7F }) else {
            throw TextTemplateError(reason: "a template must not contain control characters")
        }
        self.text = text
        var rest = Array(text)[...]
        pieces = try Self.pieces(&rest, isOptional: false)
    }

    private static func pieces(
        _ rest: inout ArraySlice<Character>, isOptional: Bool
    ) throws(TextTemplateError) -> [Piece] {
        var pieces: [Piece] = []
        var literal = ""
        func finishLiteral() {
            if !literal.isEmpty { pieces.append(.text(literal)) }
            literal = ""
        }
        while let character = rest.popFirst() {
            if "{}[]".contains(character), rest.first == character {
                literal.append(character)
                rest.removeFirst()
                continue
            }
            switch character {
            case "{":
                finishLiteral()
                pieces.append(.value(try value(&rest)))
            case "[":
                guard !isOptional else {
                    throw TextTemplateError(reason: "a part in brackets must not contain another")
                }
                finishLiteral()
                let part = try Self.pieces(&rest, isOptional: true)
                guard part.contains(where: { if case .value = $0 { true } else { false } }) else {
                    throw TextTemplateError(reason: "a part in brackets needs a placeholder; [[ writes a bracket")
                }
                pieces.append(.optional(part))
            case "]" where isOptional:
                finishLiteral()
                return pieces
            case "]", "}":
                throw TextTemplateError(
                    reason: "“\(character)” without “\(character == "]" ? "[" : "{")”; "
                        + "\(character)\(character) writes the character")
            default: literal.append(character)
            }
        }
        guard !isOptional else { throw TextTemplateError(reason: "missing ] after [; [[ writes a bracket") }
        finishLiteral()
        return pieces
    }

    private static func value(_ rest: inout ArraySlice<Character>) throws(TextTemplateError) -> Value {
        guard let end = rest.firstIndex(of: "}") else {
            throw TextTemplateError(reason: "missing } after {; {{ writes a brace")
        }
        let parts = rest[..<end].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map {
            String($0)
        }
        rest = rest[(end + 1)...]
        guard let name = parts.first.flatMap(ProgrammeValue.init(rawValue:)) else {
            throw TextTemplateError(
                reason: "unknown placeholder {\((parts.first ?? "").prefix(40))}; allowed: \(ProgrammeValue.forms)")
        }
        let argument = parts.count > 1 ? parts[1] : nil
        switch name.kind {
        case .text where argument != nil:
            throw TextTemplateError(reason: "{\(name.rawValue)} takes nothing after its name")
        case .number where argument.map({ !("1"..."9").contains($0) || $0.count != 1 }) ?? false:
            throw TextTemplateError(reason: "{\(name.rawValue):…} takes a number of digits from 1 to 9")
        case .mark where argument?.isEmpty ?? false:
            throw TextTemplateError(reason: "{\(name.rawValue):…} takes the text to write")
        default: return Value(name: name, argument: argument)
        }
    }

    /// Whether the template has a placeholder.
    package func contains(_ value: ProgrammeValue) -> Bool {
        pieces.contains { piece in
            switch piece {
            case .text: false
            case .value(let placeholder): placeholder.name == value
            case .optional(let part):
                part.contains { if case .value(let placeholder) = $0 { placeholder.name == value } else { false } }
            }
        }
    }

    // MARK: - Rendering

    /// Returns the text for the values of a programme, without surrounding spaces; empty if nothing is left.
    ///
    /// - Parameter value: Returns the value of a placeholder; `nil` or an empty text if it is missing.
    package func rendered(_ value: (ProgrammeValue) -> String?) -> String {
        var output = RenderedText()
        for piece in pieces {
            switch piece {
            case .text(let text): output.append(text)
            case .value(let placeholder): output.append(Self.text(of: placeholder, value))
            case .optional(let part): output.append(Self.text(of: part, value))
            }
        }
        return output.finished
    }

    /// The text of a part in brackets; `nil` if one of its values is missing.
    private static func text(of part: [Piece], _ value: (ProgrammeValue) -> String?) -> String? {
        var text = ""
        for piece in part {
            switch piece {
            case .text(let literal): text += literal
            case .value(let placeholder):
                guard let found = Self.text(of: placeholder, value) else { return nil }
                text += found
            case .optional: break
            }
        }
        return text
    }

    private static func text(of placeholder: Value, _ value: (ProgrammeValue) -> String?) -> String? {
        guard let text = value(placeholder.name), !text.isEmpty else { return nil }
        guard let argument = placeholder.argument else { return text }
        if placeholder.name.kind == .mark { return argument }
        return String(repeating: "0", count: max(0, (Int(argument) ?? 0) - text.count)) + text
    }
}

extension TextTemplate: CustomStringConvertible {
    /// The text of the template.
    package var description: String { text }
}

/// An invalid template: what is wrong and what is allowed.
package struct TextTemplateError: Error, Hashable, Sendable, CustomStringConvertible {
    package let reason: String

    package var description: String { reason }
}

/// Text in which missing values take one space next to them along.
private struct RenderedText {
    private var text = ""
    /// Whether a space that follows vanishes.
    private var skipsSpace = false

    /// Appends a piece; `nil` for a missing value.
    mutating func append(_ piece: String?) {
        guard let piece else {
            skipsSpace = text.isEmpty || text.last == " "
            return
        }
        text += skipsSpace && piece.hasPrefix(" ") ? piece.dropFirst() : piece[...]
        skipsSpace = false
    }

    /// The text without surrounding white space.
    var finished: String {
        let start = text.drop(while: \.isWhitespace)
        return start.lastIndex { !$0.isWhitespace }.map { String(start[...$0]) } ?? ""
    }
}

/// A value of a programme in a template.
package enum ProgrammeValue: String, CaseIterable, Hashable, Sendable {
    case title, subtitle, description, category, genre, country, year, season, episode, part, rating, stars, director
    case actors, new, premiere, live
    case `repeat`
    case station

    /// What a placeholder takes after its name and a colon.
    enum Kind {
        /// Nothing.
        case text
        /// The minimum number of digits.
        case number
        /// The text to write.
        case mark
    }

    var kind: Kind {
        switch self {
        case .season, .episode, .part: .number
        case .new, .premiere, .live, .repeat: .mark
        default: .text
        }
    }

    /// All placeholders, for messages.
    package static let forms = allCases.map { "{\($0.rawValue)}" }.joined(separator: ", ")
}

extension ProgrammeValue {
    /// Returns the value of a programme; `nil` if it is missing.
    ///
    /// - Parameters:
    ///   - nodes: The content of the programme.
    ///   - language: The language of the text that is written, which texts in the same language match first.
    ///   - station: The name of the station.
    ///   - genre: The genre of the programme.
    package func value(
        of nodes: [ContentNode], language: String?, station: String, genre: @autoclosure () -> Genre?
    ) -> String? {
        switch self {
        case .title: Self.text("title", nodes, language)
        case .subtitle: Self.text("sub-title", nodes, language)
        case .description: Self.text("desc", nodes, language)
        case .category: Self.text("category", nodes, language)
        case .country: Self.text("country", nodes, language)
        case .genre: genre()?.name
        case .year:
            Self.text("date", nodes, nil).flatMap { date in
                let year = date.prefix(4)
                return year.count == 4 && year.allSatisfy { ("0"..."9").contains($0) } ? String(year) : nil
            }
        case .season: Self.position(nodes)?.season.number.map(String.init)
        case .episode: Self.position(nodes)?.episode.number.map(String.init)
        case .part: Self.position(nodes)?.part.number.map(String.init)
        case .rating: Self.child("value", of: "rating", nodes)
        case .stars: Self.child("value", of: "star-rating", nodes)
        case .director: Self.people("director", nodes)
        case .actors: Self.people("actor", nodes)
        case .new: Self.mark("new", "New", nodes)
        case .premiere: Self.mark("premiere", "Premiere", nodes)
        case .live: Self.mark("live", "Live", nodes)
        case .repeat: Self.mark("previously-shown", "Repeat", nodes)
        case .station: station
        }
    }

    private static func text(_ name: String, _ nodes: [ContentNode], _ language: String?) -> String? {
        let texts = nodes.elements.filter { $0.name == name }.map {
            LocalizedText($0.textContent, language: $0[attribute: "lang"])
        }.filter { !$0.text.isEmpty }
        return texts.text(preferring: language.map { [$0] } ?? [])
    }

    private static func position(_ nodes: [ContentNode]) -> EpisodePosition? {
        let numbers = nodes.elements.filter { $0.name == "episode-num" }
        return numbers.lazy.compactMap {
            EpisodeNumber(value: $0.text, system: $0[attribute: "system"] ?? "onscreen").position
        }.first ?? numbers.lazy.compactMap { EpisodePosition(seasonAndEpisode: $0.text) }.first
    }

    private static func child(_ name: String, of parent: String, _ nodes: [ContentNode]) -> String? {
        nodes.elements.first { $0.name == parent }?.elements(named: name).first?.text
    }

    private static func people(_ role: String, _ nodes: [ContentNode]) -> String? {
        let credits = nodes.elements.filter { $0.name == "credits" }.flatMap { $0.elements(named: role) }
        return credits.map(\.text).filter { !$0.isEmpty }.joined(separator: ", ")
    }

    private static func mark(_ name: String, _ text: String, _ nodes: [ContentNode]) -> String? {
        nodes.elements.contains { $0.name == name } ? text : nil
    }
}
