/// A text and its language.
public struct LocalizedText: Hashable, Sendable {
    public var text: String
    /// The language code of the feed, such as `en` or `fr_FR`.
    public var language: String?

    /// Creates a text.
    ///
    /// - Parameter language: A language code such as `en` or `fr_FR`; `nil` (the default) if the language is unknown.
    public init(_ text: String, language: String? = nil) {
        self.text = text
        self.language = language
    }
}

/// The URL of a picture.
public struct Icon: Hashable, Sendable {
    public var source: String
    /// The width in pixels; the text of the feed.
    public var width: String?
    /// The height in pixels; the text of the feed.
    public var height: String?

    /// Creates an icon.
    ///
    /// - Parameters:
    ///   - source: The URL of the picture. It is not validated.
    ///   - width: The width in pixels, as the feed writes it; `nil` by default.
    ///   - height: The height in pixels, as the feed writes it; `nil` by default.
    public init(source: String, width: String? = nil, height: String? = nil) {
        self.source = source
        self.width = width
        self.height = height
    }
}

/// A link to further information.
public struct WebLink: Hashable, Sendable {
    /// The URL in the feed.
    public var url: String
    /// The source or target of the link, such as `imdb`.
    public var system: String?

    /// Creates a link.
    ///
    /// - Parameters:
    ///   - url: The URL. It is not validated.
    ///   - system: The source or target of the link, such as `imdb`; `nil` by default.
    public init(url: String, system: String? = nil) {
        self.url = url
        self.system = system
    }
}

extension [LocalizedText] {
    /// Returns the first text in the first available preferred language, or else the first text.
    ///
    /// A preference `en` matches `en`, `en-GB` and `en_US`; a preference `en-GB` matches only itself.
    public func text(preferring languages: [String] = []) -> String? {
        matches(languages).first?.text ?? first?.text
    }

    /// Returns all texts in the first available preferred language, or else all texts.
    public func texts(preferring languages: [String] = []) -> [String] {
        let matches = matches(languages)
        return (matches.isEmpty ? self : matches).map(\.text)
    }

    /// Returns the texts in the first available language.
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
