/// An element of a programme that another source's listing of the same broadcast may provide (Rules.md, rule 22). The raw value is
/// its name.
///
/// Times, titles and the marks of a transmission (`new`, `premiere`, `live`, `previously-shown`, picture, sound and captions) always
/// are the listing's own.
package enum CompletedField: String, Hashable, Sendable, CaseIterable {
    case subtitle = "sub-title"
    case description = "desc"
    case credits
    case date
    case category
    case keyword
    case originalLanguage = "orig-language"
    case icon
    case country
    case episode = "episode-num"
    case rating
    case starRating = "star-rating"
    case image

    /// The name in texts, such as `description`.
    package var label: String {
        switch self {
        case .subtitle: "subtitle"
        case .description: "description"
        case .category: "categories"
        case .keyword: "keywords"
        case .originalLanguage: "original language"
        case .episode: "episode"
        case .starRating: "stars"
        case .credits, .date, .icon, .country, .rating, .image: rawValue
        }
    }
}

/// The fields of a listing that another source completed: the element `<completed>` of the shown programme.
package struct FieldOrigin: Hashable, Sendable {
    /// The name of the element.
    package static let elementName = "completed"

    /// The name of the source that lists the fields.
    package let source: String
    /// The fields, in the order of ``CompletedField/allCases``.
    package let fields: [CompletedField]

    package init(source: String, fields: [CompletedField]) {
        self.source = source
        self.fields = fields
    }

    /// Reads the element; `nil` if it has another form.
    package init?(_ element: ContentElement) {
        guard element.name == Self.elementName, let source = element[attribute: "source"] else { return nil }
        let fields = element.text.split(separator: " ").compactMap { CompletedField(rawValue: String($0)) }
        guard !fields.isEmpty else { return nil }
        self.init(source: source, fields: fields)
    }

    /// The element.
    package var element: ContentElement {
        ContentElement(
            name: Self.elementName, attributes: [ContentAttribute(name: "source", value: source)],
            children: [.text(fields.map(\.rawValue).joined(separator: " "))])
    }
}

extension Programme {
    /// The fields that other sources completed; empty if all are the listing's own.
    package var fieldOrigins: [FieldOrigin] { extras.elements.compactMap { FieldOrigin($0) } }
}

/// The texts of a listing that decide which fields another listing completes.
package struct CompletedTexts: Hashable, Sendable {
    package let title: String
    package let subtitle: String?
    package let description: String?

    package init(title: String, subtitle: String?, description: String?) {
        self.title = title
        self.subtitle = subtitle
        self.description = description
    }

    /// Returns whether a description is better than this listing's: it has none, repeats title or subtitle, or is a part of the
    /// other one that was cut off.
    package func isPoorer(than other: String) -> Bool {
        guard let description, !description.isEmpty else { return true }
        guard other.utf8.count > description.utf8.count else { return false }
        if Self.isSame(description, title) || subtitle.map({ Self.isSame(description, $0) }) ?? false { return true }
        // A text that was cut off does not end like a sentence.
        var start = description.utf8[...]
        if description.hasSuffix("…") {
            start = start.dropLast(3)
        } else if description.hasSuffix("...") {
            start = start.dropLast(3)
        } else if let last = start.last, [UInt8(ascii: "."), UInt8(ascii: "!"), UInt8(ascii: "?")].contains(last) {
            return false
        }
        while start.last == UInt8(ascii: " ") { start.removeLast() }
        return start.count >= 20 && other.utf8.starts(with: start)
    }

    /// Returns whether another listing's subtitle is more than this title, or the end of it.
    package func lacks(subtitle other: String) -> Bool {
        let (words, own) = (ComparedText.words(other), ComparedText.words(title))
        return !words.isEmpty && !own.suffix(words.count).elementsEqual(words)
    }

    /// Whether the description says more than the title.
    package var hasDescription: Bool {
        guard let description, !description.isEmpty else { return false }
        return !Self.isSame(description, title)
    }

    private static func isSame(_ left: String, _ right: String) -> Bool {
        if left == right { return true }
        // Punctuation and case make little difference to the length.
        let (one, two) = (left.utf8.count, right.utf8.count)
        guard max(one, two) <= 2 * min(one, two) + 8 else { return false }
        return ComparedText.words(left) == ComparedText.words(right)
    }
}

/// The numbers of airings that a write completed from one source.
public struct CompletionCount: Hashable, Sendable {
    /// The number of airings.
    public var airings = 0
    /// The numbers of airings by the name of the field, such as `desc`.
    public var fields: [String: Int] = [:]

    /// Creates a count of nothing.
    public init() {}

    /// Adds an airing.
    package mutating func add(_ completed: [CompletedField]) {
        airings += 1
        for field in completed { fields[field.rawValue, default: 0] += 1 }
    }
}

/// What a completion of listings wrote.
package struct CompletionOutcome: Sendable {
    /// The stations with changed airings.
    package let stations: Set<Int64>
    /// The numbers of completed airings by the name of the source that listed the fields.
    package let counts: [String: CompletionCount]
    /// Completed programmes that lost an airing and may be unused.
    package let released: Set<Int64>
    /// The number of the next new programme.
    package let nextProgramme: Int64
    /// The batches of new programmes without documents, for a search index.
    package let batches: [ContentBatch]

    package init(
        stations: Set<Int64>, counts: [String: CompletionCount], released: Set<Int64>, nextProgramme: Int64,
        batches: [ContentBatch]
    ) {
        self.stations = stations
        self.counts = counts
        self.released = released
        self.nextProgramme = nextProgramme
        self.batches = batches
    }
}

/// The ranges of a station's schedule in which an import changed listings, in seconds since 1970.
package struct ChangedRanges: Sendable {
    /// The stop of the source's coverage before the import; `nil` if it did not cover the station.
    package let formerStop: Int64?
    /// The ranges, of which some may overlap; all instants after 1,000 ranges.
    private var ranges: [Range<Int64>] = []

    package init(formerStop: Int64?) {
        self.formerStop = formerStop
    }

    /// Adds a range.
    package mutating func add(_ start: Int64, _ stop: Int64) {
        guard start < stop else { return }
        if let last = ranges.last, start <= last.upperBound, stop >= last.lowerBound {
            ranges[ranges.count - 1] = min(start, last.lowerBound)..<max(stop, last.upperBound)
        } else {
            ranges.append(start..<stop)
        }
    }

    /// Returns the ranges after an instant in order. Ranges with less than `distance` between them are one.
    package func merged(after instant: Int64, distance: Int64) -> [Range<Int64>] {
        var merged: [Range<Int64>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) where range.upperBound > instant {
            if let last = merged.last, range.lowerBound - last.upperBound < distance {
                merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                merged.append(range)
            }
        }
        return merged
    }
}
