import EPGModel
import XMLTV

/// An expression that selects programmes: those that pass all terms of at least one alternative.
package struct GrepExpression {
    /// The terms of each alternative.
    var alternatives: [[GrepTerm]] = []
    /// The patterns for channel names, to which the terms refer by index.
    var namePatterns: [GrepPattern] = []

    private var hasChannelTests: Bool {
        alternatives.contains { $0.contains { $0.test.isChannelTest } }
    }

    /// Returns whether a channel is selected: whether it passes all channel tests of at least one alternative.
    ///
    /// - Parameters:
    ///   - id: The identifier of the channel.
    ///   - names: The indices of ``namePatterns`` that match its names.
    func selects(channel id: String, names: Set<Int>) -> Bool {
        guard hasChannelTests else { return true }
        return alternatives.contains { terms in
            terms.allSatisfy { term in
                !term.test.isChannelTest
                    || GrepExpression.channelPasses(id, names: names, term.test) != term.isNegated
            }
        }
    }

    /// Returns whether a programme is selected.
    ///
    /// - Parameters:
    ///   - names: The indices of ``namePatterns`` that match the names of its channel.
    ///   - onMissingStop: Called if a programme without a stop was assumed to end when it starts.
    func selects(_ programme: XMLTVElement, names: Set<Int>, onMissingStop: () -> Void) -> Bool {
        alternatives.contains { terms in
            terms.allSatisfy { term in
                GrepExpression.passes(programme, names: names, term.test, onMissingStop) != term.isNegated
            }
        }
    }

    private static func channelPasses(_ id: String, names: Set<Int>, _ test: GrepTest) -> Bool {
        switch test {
        case .channelID(let wanted): id == wanted
        case .channelIDPattern(let pattern): pattern.isFound(in: id)
        case .channelName(let number): names.contains(number)
        default: true
        }
    }

    private static func passes(
        _ programme: XMLTVElement, names: Set<Int>, _ test: GrepTest, _ onMissingStop: () -> Void
    ) -> Bool {
        switch test {
        case .anything(let pattern): return pattern.isFound(in: programme.searchableText)
        case .field(let field, let pattern): return field.matches(programme, pattern)
        case .channelID, .channelIDPattern, .channelName:
            return channelPasses(programme[attribute: "channel"] ?? "", names: names, test)
        case .onBefore(let time): return programme.time("start").map { time >= $0 } ?? false
        case .onAfter(let time):
            if let stop = programme.time("stop") { return time < stop }
            guard let start = programme.time("start") else { return false }
            if time >= start { onMissingStop() }
            return time < start
        case .fieldCount(let comparison, let number):
            var names = Set(programme.attributes.map(\.name))
            for case .element(let part) in programme.children { names.insert(part.name) }
            return comparison.holds(names.count, number)
        }
    }
}

extension XMLTVElement {
    /// Returns an attribute as seconds since 1970, or `nil` if it is missing or invalid.
    fileprivate func time(_ attribute: String) -> Int64? {
        guard let text = self[attribute: attribute] else { return nil }
        do throws(XMLTVTimeError) {
            return try XMLTVTime(text).secondsSince1970
        } catch {
            // The filter has already warned about it.
            return nil
        }
    }

    /// The names and values of all attributes and elements, one pair per line.
    fileprivate var searchableText: String {
        var text = ""
        appendSearchableText(to: &text)
        return text
    }

    private func appendSearchableText(to text: inout String) {
        for attribute in attributes { text += "\(attribute.name) \(attribute.value)\n" }
        for child in children {
            switch child {
            case .text(let piece): text += piece + "\n"
            case .element(let part):
                text += part.name + " "
                part.appendSearchableText(to: &text)
            }
        }
    }
}

/// A test of a programme.
enum GrepTest {
    /// A pattern is found anywhere in the names and values of its attributes and elements.
    case anything(GrepPattern)
    /// It has a field in which a pattern is found.
    case field(GrepField, GrepPattern)
    /// Its channel has exactly this identifier.
    case channelID(String)
    /// A pattern is found in the identifier of its channel.
    case channelIDPattern(GrepPattern)
    /// A name of its channel matches the name pattern with this index.
    case channelName(Int)
    /// Part of it is on at or after a time in seconds since 1970.
    case onAfter(Int64)
    /// It starts at or before a time in seconds since 1970.
    case onBefore(Int64)
    /// A comparison of the number of different attributes and elements.
    case fieldCount(CountComparison, Int)

    /// Whether the test concerns only the channel, so that it also selects channels.
    fileprivate var isChannelTest: Bool {
        switch self {
        case .channelID, .channelIDPattern, .channelName: true
        default: false
        }
    }
}

/// A comparison of counts, in Perl syntax.
enum CountComparison: String, CaseIterable, Sendable {
    case more = ">"
    case less = "<"
    case atLeast = ">="
    case atMost = "<="
    case equal = "=="
    case unequal = "!="

    fileprivate func holds(_ left: Int, _ right: Int) -> Bool {
        switch self {
        case .more: left > right
        case .less: left < right
        case .atLeast: left >= right
        case .atMost: left <= right
        case .equal: left == right
        case .unequal: left != right
        }
    }
}

/// A test or its negation.
struct GrepTerm {
    let test: GrepTest
    let isNegated: Bool
}

/// An attribute or element of a programme that can be tested.
struct GrepField: Hashable, Sendable {
    /// The kind of a field.
    enum Kind: Sendable {
        /// An attribute, whose value is searched.
        case attribute
        /// Elements whose texts are searched.
        case text
        /// Elements that are tested for presence, with a mandatory empty pattern.
        case presence
        /// An element that is tested for presence, without a pattern.
        case mark
    }

    let name: String
    let kind: Kind

    /// All fields by option name.
    static let all: [String: GrepField] = {
        let kinds: [(Kind, [String])] = [
            (.attribute, DTDOrder.programmeAttributes.names),
            (
                .text,
                [
                    "title", "sub-title", "desc", "date", "category", "keyword", "language", "orig-language", "country",
                    "premiere", "last-chance",
                ]
            ),
            (
                .presence,
                [
                    "credits", "length", "icon", "url", "episode-num", "video", "audio", "previously-shown",
                    "subtitles", "rating", "star-rating", "review", "image",
                ]
            ),
            (.mark, ["new"]),
        ]
        var fields: [String: GrepField] = [:]
        for (kind, names) in kinds {
            for name in names { fields["--" + name] = GrepField(name: name, kind: kind) }
        }
        return fields
    }()

    /// Returns whether a programme has the field and the pattern is found in it.
    func matches(_ programme: XMLTVElement, _ pattern: GrepPattern) -> Bool {
        switch kind {
        case .attribute: programme[attribute: name].map { pattern.isFound(in: $0) } ?? false
        case .text: programme.children(name).contains { pattern.isFound(in: $0.text) }
        case .presence, .mark: programme.child(name) != nil
        }
    }
}

/// A regular expression to search texts for. The empty one is found in every text.
struct GrepPattern {
    private enum Form {
        case everything
        /// Bytes without special meaning.
        case literal([UInt8])
        case expression(Regex<AnyRegexOutput>)
    }

    private let form: Form

    /// Parses a pattern in the syntax of Swift's `Regex`, which is similar to Perl's.
    ///
    /// Characters are Unicode scalars.
    /// - Throws: The error in the pattern.
    init(_ text: String, ignoresCase: Bool) throws {
        let isPlain = text.unicodeScalars.allSatisfy { !"\\^$.|?*+()[]{}".unicodeScalars.contains($0) }
        if text.isEmpty {
            form = .everything
        } else if isPlain, !ignoresCase {
            form = .literal(Array(text.utf8))
        } else {
            form = .expression(
                try Regex(text).ignoresCase(ignoresCase).matchingSemantics(.unicodeScalar))
        }
    }

    /// Returns whether the pattern is found in a text.
    ///
    /// - Complexity: O(bytes of the text) for literal patterns. Others may take longer.
    func isFound(in text: String) -> Bool {
        switch form {
        case .everything: true
        case .literal(let bytes): text.utf8.span.contains(bytes.span)
        case .expression(let expression): text.firstMatch(of: expression) != nil
        }
    }
}
