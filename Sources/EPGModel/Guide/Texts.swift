/// A text and the language it is in.
public struct LocalizedText: Hashable, Sendable {
    /// As it is shown.
    public var text: String
    /// A language code as the feed writes it (`en`, `fr_FR`), or `nil` where it says none.
    public var language: String?

    public init(_ text: String, language: String? = nil) {
        self.text = text
        self.language = language
    }
}

/// The address of a picture.
public struct Icon: Hashable, Sendable {
    /// A URL.
    public var source: String
    /// In pixels, as the feed writes it.
    public var width: String?
    /// In pixels, as the feed writes it.
    public var height: String?

    public init(source: String, width: String? = nil, height: String? = nil) {
        self.source = source
        self.width = width
        self.height = height
    }
}

/// An address at which more is to be read.
public struct WebLink: Hashable, Sendable {
    /// A URL, as the feed writes it.
    public var address: String
    /// The source or target of the address, such as `imdb`.
    public var system: String?

    public init(address: String, system: String? = nil) {
        self.address = address
        self.system = system
    }
}

extension [LocalizedText] {
    /// The text to show: the first one in one of the preferred languages, tried in their order, else the first of all
    /// (facts: where several stand, the user's language decides; otherwise the first is the canonical one).
    ///
    /// A preference `en` matches `en`, `en-GB` and `en_US`; a preference `en-GB` matches only itself.
    public func text(preferring languages: [String] = []) -> String? {
        matches(languages).first?.text ?? first?.text
    }

    /// The texts to show where several belong together, as categories do: all of the first preferred language that has
    /// any, else all.
    public func texts(preferring languages: [String] = []) -> [String] {
        let matches = matches(languages)
        return (matches.isEmpty ? self : matches).map(\.text)
    }

    /// The texts in the first of some languages that has any.
    private func matches(_ languages: [String]) -> [LocalizedText] {
        for language in languages {
            let wanted = language.lowercased().split(whereSeparator: { $0 == "-" || $0 == "_" })
            guard !wanted.isEmpty else { continue }
            let matches = filter { candidate in
                let parts = (candidate.language ?? "").lowercased().split(whereSeparator: { $0 == "-" || $0 == "_" })
                return parts.starts(with: wanted)
            }
            if !matches.isEmpty { return matches }
        }
        return []
    }
}
