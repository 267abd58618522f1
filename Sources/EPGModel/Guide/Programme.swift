/// The content that an airing transmits: everything the feed says of it but when and where it is shown.
///
/// A programme is the same whether it is shown at 18:00 or at 19:00 (xmltv.dtd, `programme`). The properties follow the
/// DTD; what lies beyond it is kept in ``extras``.
public struct Programme: Hashable, Sendable {
    /// Each in its language, the canonical one first; empty where the feed has none.
    public var titles: [LocalizedText] = []
    /// Names of the episode or of its subject.
    public var subtitles: [LocalizedText] = []
    public var descriptions: [LocalizedText] = []
    public var credits: [Credit] = []
    /// When it was finished, as the feed writes it (`1990`, `19901011`).
    public var date: String?
    /// Such as `film` or `Sport`, as the feed names them.
    public var categories: [LocalizedText] = []
    /// Single words about the plot, the place or the time.
    public var keywords: [LocalizedText] = []
    public var language: LocalizedText?
    /// The language of the original, where that is another.
    public var originalLanguage: LocalizedText?
    /// The true length without advertisements; never the source of a stop time (facts, rule 8).
    public var length: Length?
    public var icons: [Icon] = []
    public var urls: [WebLink] = []
    /// Where it was made.
    public var countries: [LocalizedText] = []
    /// The same number in one or more systems.
    public var episodeNumbers: [EpisodeNumber] = []
    public var video: Video?
    public var audio: Audio?
    /// Present where the feed says that it is a repeat.
    public var previouslyShown: PreviouslyShown?
    /// Present where the feed says `<premiere>`; an empty one has meaning too (facts, rule 9).
    public var premiere: LocalizedText?
    /// Present where the feed says that it is shown for the last time; the text may be empty.
    public var lastChance: LocalizedText?
    /// The feed says `<new/>`: a new show by the DTD, a new episode in most feeds (facts, rule 9).
    public var isNew = false
    public var captions: [Captions] = []
    /// Age ratings, one for each system.
    public var ratings: [Rating] = []
    /// Ratings of quality, one for each system.
    public var starRatings: [Rating] = []
    public var reviews: [Review] = []
    /// Posters, stills and the like.
    public var images: [Image] = []
    /// Elements beyond the DTD, and those that are repeated against it, in the order of the feed.
    public var extras: [ContentNode] = []

    public init() {}

    /// A person who took part; the most important come first.
    public struct Credit: Hashable, Sendable {
        /// The name of the element: `director`, `actor`, `writer` …
        public var role: String
        public var name: String
        /// The part that an actor plays.
        public var character: String?
        /// `guest="yes"`.
        public var isGuest = false
        /// Of the person, or of the part.
        public var images: [Image] = []
        public var urls: [WebLink] = []
    }

    /// A length in the unit that the feed uses.
    public struct Length: Hashable, Sendable {
        /// A whole number in text.
        public var value: String
        /// `seconds`, `minutes` or `hours`; otherwise the length is unknown.
        public var units: String?

        private static let factors: [String?: Int64] = ["seconds": 1, "minutes": 60, "hours": 3600]

        /// The length in seconds, where value and unit are valid and the length is below ten years.
        public var seconds: Int64? {
            let tenYears: Int64 = 87_600 * 3600
            guard let factor = Self.factors[units], let number = Int64(value), (0..<tenYears / factor).contains(number)
            else { return nil }
            return number * factor
        }
    }

    /// The picture (`<video>`); every member as the feed writes it.
    public struct Video: Hashable, Sendable {
        /// `yes` or `no`: whether there is a picture.
        public var present: String?
        /// `yes`, or `no` for black and white.
        public var colour: String?
        /// Such as `16:9`.
        public var aspect: String?
        /// Such as `HDTV` or `800x600`.
        public var quality: String?
    }

    /// The sound (`<audio>`); every member as the feed writes it.
    public struct Audio: Hashable, Sendable {
        /// `yes` or `no`: whether there is sound.
        public var present: String?
        /// `mono`, `stereo`, `dolby`, `dolby digital`, `bilingual` or `surround`.
        public var stereo: String?
    }

    /// An earlier transmission; both members as the feed writes them, `nil` where it doesn't.
    public struct PreviouslyShown: Hashable, Sendable {
        public var start: String?
        /// The identifier of its station.
        public var channel: String?
    }

    /// Subtitles to read (`<subtitles>`), not the second title.
    public struct Captions: Hashable, Sendable {
        /// `teletext`, `onscreen` or `deaf-signed`.
        public var type: String?
        public var language: LocalizedText?
    }

    /// A rating for age (`<rating>`) or quality (`<star-rating>`).
    public struct Rating: Hashable, Sendable {
        /// Who rates, such as `FSK` or `MPAA`.
        public var system: String?
        /// As the feed writes it; a star rating is `N / M`.
        public var value: String
        public var icons: [Icon] = []

        /// A star rating from 0 to 1; `nil` where it isn't of the form `N / M` with 0 ≤ N ≤ M and M > 0.
        ///
        /// Zero is a rating; its absence is not (facts, rule 12).
        public var share: Double? {
            let parts = value.split(separator: "/", omittingEmptySubsequences: false).map { Double($0.trimmed) }
            guard parts.count == 2, let score = parts[0], let maximum = parts[1], maximum > 0, maximum.isFinite,
                score >= 0, score <= maximum
            else { return nil }
            return score / maximum
        }
    }

    /// A review, or a link to one (`<review>`).
    public struct Review: Hashable, Sendable {
        /// `text` or `url`: what ``content`` is.
        public var type: String?
        public var source: String?
        public var reviewer: String?
        /// A language code as the feed writes it.
        public var language: String?
        public var content: String
    }

    /// A picture (`<image>`).
    public struct Image: Hashable, Sendable {
        /// A URL.
        public var address: String
        /// `poster`, `backdrop`, `still`, `person` or `character`.
        public var type: String?
        /// `1` below 400 pixels, `2` below 800, `3` above.
        public var size: String?
        /// `P` for portrait, `L` for landscape.
        public var orientation: String?
        /// Where it comes from, such as `tmdb`.
        public var system: String?
    }
}

extension String {
    /// The text with U+FFFD for each U+0000, at which databases end a text, or which they refuse.
    package var withoutNull: String {
        utf8.contains(0) ? String(String.UnicodeScalarView(unicodeScalars.map { $0 == "\0" ? "\u{FFFD}" : $0 })) : self
    }
}

extension StringProtocol {
    /// The text without the white space at both ends.
    package var trimmed: String {
        guard let first = firstIndex(where: { !$0.isWhitespace }), let last = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(self[first...last])
    }
}
