/// A text and the language it is in.
public struct LocalizedText: Hashable, Sendable {
    public var text: String
    /// A language code as the feed writes it (`en`, `fr_FR`).
    public var language: String?

    public init(_ text: String, language: String? = nil) {
        self.text = text
        self.language = language
    }
}

/// The URL of a picture.
public struct Icon: Hashable, Sendable {
    public var source: String
    /// In pixels, as the feed writes it; so is the height.
    public var width: String?
    public var height: String?

    public init(source: String, width: String? = nil, height: String? = nil) {
        self.source = source
        self.width = width
        self.height = height
    }
}

/// A link to further information.
public struct WebLink: Hashable, Sendable {
    /// A URL, as the feed writes it.
    public var address: String
    /// The source or target of the link, such as `imdb`.
    public var system: String?

    public init(address: String, system: String? = nil) {
        self.address = address
        self.system = system
    }
}

extension [LocalizedText] {
    /// The text to show: the first one in the first preferred language that has any, or else the first of all.
    ///
    /// A preference `en` matches `en`, `en-GB` and `en_US`; a preference `en-GB` matches only itself.
    public func text(preferring languages: [String] = []) -> String? {
        matches(languages).first?.text ?? first?.text
    }

    /// The texts to show where several belong together: all of the first preferred language that has any, or else all.
    public func texts(preferring languages: [String] = []) -> [String] {
        let matches = matches(languages)
        return (matches.isEmpty ? self : matches).map(\.text)
    }

    /// The texts in the first of some languages that has any.
    private func matches(_ languages: [String]) -> [LocalizedText] {
        for language in languages {
            let wanted = Self.subtags(of: language)
            guard !wanted.isEmpty else { continue }
            let matches = filter { Self.subtags(of: $0.language ?? "").starts(with: wanted) }
            if !matches.isEmpty { return matches }
        }
        return []
    }

    private static func subtags(of language: String) -> [Substring] {
        language.lowercased().split { $0 == "-" || $0 == "_" }
    }
}

extension Array where Element: Equatable {
    /// The number of elements to insert, remove or replace that lead from one array to another (Levenshtein); beyond the
    /// limit some number beyond it.
    package func editDistance(to other: [Element], limit: Int) -> Int {
        guard abs(count - other.count) <= limit else { return limit + 1 }
        var previous = Array<Int>(0...other.count)
        for (row, element) in enumerated() {
            var current = [row + 1]
            for (column, candidate) in other.enumerated() {
                let replaced = previous[column] + (element == candidate ? 0 : 1)
                current.append(Swift.min(replaced, previous[column + 1] + 1, current[column] + 1))
            }
            previous = current
        }
        return previous[other.count]
    }
}
