/// What feeds, exports and pages change of the guide: genres, texts and logos. By default, nothing.
package struct OutputSettings: Hashable, Sendable {
    /// Which categories to write.
    package enum Genres: String, CaseIterable, Hashable, Sendable {
        /// The categories of the guide.
        case none
        /// The categories of the guide, and the name of the genre (ETSI EN 300 468) after them.
        case etsi
        /// Only the name of the genre; none for a programme without one.
        case etsiOnly = "etsi-only"
    }

    /// Which categories to write. The default is ``Genres/none``.
    package var genres = Genres.none
    /// The texts of all stations.
    package var texts = OutputTexts()
    /// The texts of some stations, which override ``texts``.
    package var stations: [StationTexts] = []
    /// Words that extend the table of genres.
    package var genreWords: [GenreWord] = []
    /// The logos; the guide's own by default.
    package var logos = LogoSettings()

    /// Creates settings that change nothing.
    package init() {}

    /// Whether programmes are written as they are.
    package var keepsProgrammes: Bool {
        genres == .none && texts == OutputTexts() && stations.allSatisfy { $0.texts == OutputTexts() }
    }

    /// Whether genres are written.
    package var needsGenres: Bool {
        genres != .none
            || ([texts] + stations.map(\.texts)).contains { texts in
                [texts.title, texts.subtitle, texts.description].contains { $0?.contains(.genre) ?? false }
            }
    }
}

/// How texts of programmes are written.
package struct OutputTexts: Hashable, Sendable {
    /// The template of titles; `nil` for the guide's.
    package var title: TextTemplate?
    /// The template of subtitles.
    package var subtitle: TextTemplate?
    /// The template of descriptions.
    package var description: TextTemplate?
    /// The names of XMLTV elements that are not written; `nil` if unset.
    package var dropped: [String]?
    /// The languages of title, subtitle and description in order of preference, of which only the first that is available is
    /// written; `nil` if unset.
    package var languages: [String]?

    /// Creates texts that change nothing.
    package init() {}

    /// Replaces what other texts set.
    package mutating func override(with other: OutputTexts) {
        title = other.title ?? title
        subtitle = other.subtitle ?? subtitle
        description = other.description ?? description
        dropped = other.dropped ?? dropped
        languages = other.languages ?? languages
    }

    /// The XMLTV elements of a programme that may be dropped: all but the title.
    package static let droppable = [
        "sub-title", "desc", "credits", "date", "category", "keyword", "language", "orig-language", "length", "icon",
        "url", "country", "episode-num", "video", "audio", "previously-shown", "premiere", "last-chance", "new",
        "subtitles", "rating", "star-rating", "review", "image",
    ]
}

/// The texts of stations whose identifier matches a pattern.
package struct StationTexts: Hashable, Sendable {
    /// Patterns with the wildcards `*` and `?`.
    package var patterns: [String]
    package var texts: OutputTexts

    /// Creates the texts of some stations.
    package init(patterns: [String], texts: OutputTexts) {
        self.patterns = patterns
        self.texts = texts
    }
}
