/// The content of an airing, independent of time and station (xmltv.dtd, `programme`).
///
/// The properties follow the DTD; ``extras`` contains everything beyond it.
public struct Programme: Hashable, Sendable {
    /// The titles in their languages, starting with the canonical one; empty if the feed has none.
    public var titles: [LocalizedText] = []
    /// The names of the episode or of its subject.
    public var subtitles: [LocalizedText] = []
    public var descriptions: [LocalizedText] = []
    public var credits: [Credit] = []
    /// The date of completion in the feed's format (`1990`, `19901011`).
    public var date: String?
    /// The categories of the feed, such as `film` or `Sport`.
    public var categories: [LocalizedText] = []
    /// Keywords about the plot, the place or the time.
    public var keywords: [LocalizedText] = []
    public var language: LocalizedText?
    /// The original language, if it differs from the language of the titles.
    public var originalLanguage: LocalizedText?
    /// The length without advertisements, which never determines a stop (Rules.md, rule 8).
    public var length: Length?
    public var icons: [Icon] = []
    public var urls: [WebLink] = []
    /// The countries of production.
    public var countries: [LocalizedText] = []
    /// The episode number in one or more systems.
    public var episodeNumbers: [EpisodeNumber] = []
    public var video: Video?
    public var audio: Audio?
    /// `<previously-shown>`: the programme is a repeat.
    public var previouslyShown: PreviouslyShown?
    /// `<premiere>`, whose text may be empty (Rules.md, rule 9).
    public var premiere: LocalizedText?
    /// `<last-chance>`, whose text may be empty.
    public var lastChance: LocalizedText?
    /// Whether the feed has `<new/>`: a new show according to the DTD, a new episode in most feeds (Rules.md, rule 9).
    public var isNew = false
    public var captions: [Captions] = []
    /// Age ratings, one for each system.
    public var ratings: [Rating] = []
    /// Ratings of quality, one for each system.
    public var starRatings: [Rating] = []
    public var reviews: [Review] = []
    /// Posters, stills and similar pictures.
    public var images: [Image] = []
    /// Elements beyond the DTD, and repetitions that it does not allow, in the order of the feed.
    public var extras: [ContentNode] = []

    /// Creates a programme without content.
    public init() {}

    /// The ratings of quality to show: those above zero, because feeds write zero for programmes without a rating (Rules.md,
    /// rule 12).
    package var shownStarRatings: [Rating] {
        starRatings.filter { Double($0.value.prefix { $0 != "/" }.trimmed) != 0 }
    }

    /// A contributor. Credits are in order of importance.
    public struct Credit: Hashable, Sendable {
        /// The name of the element, such as `director`, `actor` or `writer`.
        public var role: String
        public var name: String
        /// The part that an actor plays.
        public var character: String?
        /// `guest="yes"`.
        public var isGuest = false
        /// Pictures of the person or the character.
        public var images: [Image] = []
        public var urls: [WebLink] = []
    }

    /// A length in the unit of the feed.
    public struct Length: Hashable, Sendable {
        /// The text of an integer.
        public var value: String
        /// `seconds`, `minutes` or `hours`; otherwise the length is unknown.
        public var units: String?

        private static let factors: [String?: Int64] = ["seconds": 1, "minutes": 60, "hours": 3600]

        /// The length in seconds; `nil` unless value and unit are valid and the length is below ten years.
        public var seconds: Int64? {
            let tenYears: Int64 = 87_600 * 3600
            guard let factor = Self.factors[units], let number = Int64(value), (0..<tenYears / factor).contains(number)
            else { return nil }
            return number * factor
        }
    }

    /// The picture (`<video>`), with the texts of the feed.
    public struct Video: Hashable, Sendable {
        /// Whether there is a picture: `yes` or `no`.
        public var present: String?
        /// `yes`, or `no` for black and white.
        public var colour: String?
        /// The aspect ratio, such as `16:9`.
        public var aspect: String?
        /// The resolution, such as `HDTV` or `800x600`.
        public var quality: String?
    }

    /// The sound (`<audio>`), with the texts of the feed.
    public struct Audio: Hashable, Sendable {
        /// Whether there is sound: `yes` or `no`.
        public var present: String?
        /// `mono`, `stereo`, `dolby`, `dolby digital`, `bilingual` or `surround`.
        public var stereo: String?
    }

    /// An earlier transmission, with the texts of the feed.
    public struct PreviouslyShown: Hashable, Sendable {
        public var start: String?
        /// The identifier of its station.
        public var channel: String?
    }

    /// Closed captions (`<subtitles>`).
    public struct Captions: Hashable, Sendable {
        /// `teletext`, `onscreen` or `deaf-signed`.
        public var type: String?
        public var language: LocalizedText?
    }

    /// A rating for age (`<rating>`) or quality (`<star-rating>`).
    public struct Rating: Hashable, Sendable {
        /// The rating system, such as `FSK` or `MPAA`.
        public var system: String?
        /// The text of the feed; for a star rating `N / M`.
        public var value: String
        public var icons: [Icon] = []

        /// The star rating as a fraction from 0 to 1; `nil` unless it has the form `N / M` with 0 ≤ N ≤ M and M > 0.
        ///
        /// A rating of zero differs from no rating (Rules.md, rule 12).
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
        /// The type of ``content``: `text` or `url`.
        public var type: String?
        public var source: String?
        public var reviewer: String?
        /// The language code of the feed.
        public var language: String?
        public var content: String
    }

    /// A picture (`<image>`).
    public struct Image: Hashable, Sendable {
        /// The URL.
        public var url: String
        /// `poster`, `backdrop`, `still`, `person` or `character`.
        public var type: String?
        /// `1` below 400 pixels, `2` below 800, `3` above.
        public var size: String?
        /// `P` for portrait, `L` for landscape.
        public var orientation: String?
        /// The origin, such as `tmdb`.
        public var system: String?
    }
}

extension String {
    /// The text with U+FFFD in place of U+0000, which databases reject or treat as the end of a text.
    package var withoutNull: String {
        utf8.contains(0) ? String(String.UnicodeScalarView(unicodeScalars.map { $0 == "\0" ? "\u{FFFD}" : $0 })) : self
    }
}

extension StringProtocol {
    /// The text without leading and trailing white space.
    package var trimmed: String {
        guard let first = firstIndex(where: { !$0.isWhitespace }), let last = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(self[first...last])
    }
}

/// The number of an episode in a numbering system.
public struct EpisodeNumber: Hashable, Sendable {
    /// The text of the feed.
    public var value: String
    /// The system, such as `xmltv_ns`, `onscreen` (the DTD's default), `dd_progid` or `SxxExx`.
    public var system: String

    /// Creates an episode number from its text in a feed. The text is parsed, and an invalid one detected, by ``position``.
    ///
    /// - Parameter system: The numbering system; `onscreen` by default, as in the DTD.
    public init(value: String, system: String = "onscreen") {
        self.value = value
        self.system = system
    }

    /// Season, episode and part; `nil` unless the system is `xmltv_ns` or `SxxExx` and the value is valid. `S01E02` is
    /// valid in both.
    public var position: EpisodePosition? {
        switch system {
        case "xmltv_ns": EpisodePosition(xmltvNS: value) ?? EpisodePosition(seasonAndEpisode: value)
        case "SxxExx": EpisodePosition(seasonAndEpisode: value)
        default: nil
        }
    }
}

/// The position of an episode in its series. Unlike in `xmltv_ns`, all numbers are 1-based.
public struct EpisodePosition: Hashable, Sendable {
    /// A number and a total; `nil` if unknown.
    public struct Count: Hashable, Sendable {
        public var number: Int?
        public var total: Int?
    }

    public var season: Count
    public var episode: Count
    /// The part of an episode that is shown in several parts.
    public var part: Count

    init(season: Count = Count(), episode: Count = Count(), part: Count = Count()) {
        (self.season, self.episode, self.part) = (season, episode, part)
    }

    /// Reads `season/total . episode/total . part/total`, as ``init(fields:)`` does.
    ///
    /// Returns `nil` if it is malformed, or all fields are empty.
    public init?(xmltvNS text: String) {
        guard let position = try? Self(fields: text.utf8.span), position != Self() else { return nil }
        self = position
    }

    /// Reads `S01E02` in uppercase or lowercase; both numbers are 1-based. Returns `nil` for other forms.
    public init?(seasonAndEpisode text: String) {
        self.init(seasonAndEpisode: text.utf8.span)
    }

    /// Reads `season/total . episode/total . part/total`.
    ///
    /// Indexes are 0-based in the text. White space may be anywhere, fields may be empty, even all, and trailing fields may
    /// be missing (Rules.md, rule 10). `0 . 12/13 . 0/3` is season 1, episode 13 of 13, part 1 of 3.
    ///
    /// - Throws: ``MalformedEpisodeNumber`` if there is anything else, or a number above 999,999.
    package init(fields text: Span<UInt8>) throws(MalformedEpisodeNumber) {
        self.init()
        var index = 0
        season = try text.count(at: &index)
        if text.skips(".", at: &index) { episode = try text.count(at: &index) }
        if text.skips(".", at: &index) { part = try text.count(at: &index) }
        guard text.isAtEnd(&index) else { throw MalformedEpisodeNumber() }
    }

    /// Reads `S01E02` in uppercase or lowercase. Season 0 has the specials; there is no episode 0 (Rules.md, rule 10).
    package init?(seasonAndEpisode text: Span<UInt8>) {
        self.init()
        var index = 0
        guard text.skips("S", at: &index) || text.skips("s", at: &index), let season = try? text.number(at: &index),
            text.skips("E", at: &index) || text.skips("e", at: &index), let episode = try? text.number(at: &index),
            episode > 0, text.isAtEnd(&index)
        else { return nil }
        (self.season.number, self.episode.number) = (season, episode)
    }

    /// A readable label such as `S1 E13 (1/3)`; `nil` if no number is known.
    public var label: String? {
        var parts: [String] = []
        if let number = season.number { parts.append("S\(number)") }
        if let number = episode.number { parts.append("E\(number)") }
        if let number = part.number, let total = part.total, total > 1 { parts.append("(\(number)/\(total))") }
        return parts.isEmpty ? nil : parts.joined(separator: " ")
    }
}

/// A number in `xmltv_ns` that does not have the form of Rules.md, rule 10.
package struct MalformedEpisodeNumber: Error {}

/// The steps of reading a number of an episode. Each skips white space of XML first.
extension Span<UInt8> {
    /// Reads `index/total`; both may be missing.
    fileprivate func count(at index: inout Int) throws(MalformedEpisodeNumber) -> EpisodePosition.Count {
        let number = try number(at: &index)
        let total = skips("/", at: &index) ? try self.number(at: &index) : nil
        return EpisodePosition.Count(number: number.map { $0 + 1 }, total: total)
    }

    /// Reads digits, if there are any.
    fileprivate func number(at index: inout Int) throws(MalformedEpisodeNumber) -> Int? {
        var number: Int?
        while !isAtEnd(&index), 0x30...0x39 ~= self[index] {
            let value = (number ?? 0) * 10 + Int(self[index] & 0xF)
            guard value <= 999_999 else { throw MalformedEpisodeNumber() }
            number = value
            index += 1
        }
        return number
    }

    /// Skips a character, and returns whether it was there.
    fileprivate func skips(_ character: Unicode.Scalar, at index: inout Int) -> Bool {
        guard !isAtEnd(&index), self[index] == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }

    fileprivate func isAtEnd(_ index: inout Int) -> Bool {
        while index < count {
            switch self[index] {
            case 0x20, 0x09, 0x0A, 0x0D: index += 1
            default: return false
            }
        }
        return true
    }
}

extension Int {
    /// Parses a number up to 999,999 that consists of ASCII digits only.
    init?(digits: some StringProtocol) {
        guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let value = Int(digits), value <= 999_999
        else { return nil }
        self = value
    }
}

/// The identifier of a series, by which clients group airings.
///
/// It consists of a system, a colon, and an identifier, such as `dd_progid:01234567`. Airings of a series have the same
/// identifier as long as their feeds identify the series in the same way.
public struct SeriesID: Hashable, Sendable, CustomStringConvertible {
    public let rawValue: String

    /// Creates the identifier of a programme's series; `nil` if the programme has none of these:
    ///
    /// 1. `dd_progid`, the program identifiers of Gracenote (Schedules Direct): `EP` (an episode) or `SH` (a show), eight
    ///    digits that identify the series, and four that identify the episode, with or without a period before them.
    ///    `EP01234567.0012` and `SH01234567.0000` are one series. `MV` (movies) and `SP` (sports) are not series.
    /// 2. `dd_seriesid`, Gracenote's identifier of a series.
    /// 3. A reference to a series on a web site: an `<episode-num>` whose system is the site and whose value is `series/…`,
    ///    `show/…` or `tv/…`, such as `series/123` of `thetvdb.com`. That site takes precedence, then `themoviedb.org`,
    ///    which feeds also write as `themoviedb.com`, then the others in the order of the feed.
    /// 4. A series CRID (ETSI TS 102 323, 12.1): `<crid type="series">`, as `tv_grab_dvb` writes it.
    /// 5. The first title in lowercase, if an episode number (`xmltv_ns`, `onscreen`, `SxxExx`, `common`) makes the
    ///    programme an episode, and no identifier makes it a movie (`MV…` of `dd_progid`, `movie/…` of a web site).
    public init?(_ programme: Programme) {
        let numbers = programme.episodeNumbers.map { (system: $0.system.lowercased(), value: $0.value.trimmed) }
        if let series = numbers.lazy.filter({ $0.system == "dd_progid" }).compactMap({ Self.gracenote($0.value) }).first
        {
            rawValue = "dd_progid:" + series
        } else if let number = numbers.first(where: { $0.system == "dd_seriesid" && !$0.value.isEmpty }) {
            rawValue = "dd_seriesid:" + number.value
        } else if let site = Self.site(numbers) {
            rawValue = site
        } else if let crid = programme.extras.elements.lazy.filter({
            $0.name == "crid" && $0[attribute: "type"] == "series"
        })
        .map(\.text.trimmed).first(where: { !$0.isEmpty }) {
            rawValue = crid.lowercased().hasPrefix("crid:") ? crid : "crid:" + crid
        } else if let title = programme.titles.first?.text.trimmed, !title.isEmpty,
            numbers.contains(where: { Self.episodeSystems.contains($0.system) }),
            !numbers.contains(where: { $0.value.hasPrefix("MV") || $0.value.hasPrefix("movie/") })
        {
            rawValue = "title:" + title.lowercased()
        } else {
            return nil
        }
    }

    public var description: String { rawValue }

    private static let episodeSystems: Set = ["xmltv_ns", "onscreen", "sxxexx", "common"]

    /// Returns the digits of the series in `EP01234567.0012` or `SH012345670000`; `nil` for other forms.
    private static func gracenote(_ text: String) -> String? {
        let digits = text.utf8.dropFirst(2)
        guard ["EP", "SH"].contains(text.prefix(2).uppercased()), digits.count >= 8,
            digits.prefix(8).allSatisfy({ (0x30...0x39).contains($0) }),
            digits.dropFirst(8).first.map({ $0 == UInt8(ascii: ".") || (0x30...0x39).contains($0) }) ?? true
        else { return nil }
        return String(decoding: digits.prefix(8), as: UTF8.self)
    }

    /// Returns the preferred reference to a series on a web site, such as `thetvdb.com:123`.
    private static func site(_ numbers: [(system: String, value: String)]) -> String? {
        let series = numbers.compactMap { number -> (site: String, id: Substring)? in
            let parts = number.value.split(separator: "/", maxSplits: 1)
            guard number.system.contains("."), parts.count == 2,
                ["series", "show", "tv"].contains(parts[0].lowercased())
            else { return nil }
            return (number.system == "themoviedb.com" ? "themoviedb.org" : number.system, parts[1])
        }
        let preferred = ["thetvdb.com", "themoviedb.org"].lazy.compactMap { site in series.first { $0.site == site } }
        return (preferred.first ?? series.first).map { "\($0.site):\($0.id)" }
    }
}

extension Programme {
    /// The series of the programme; `nil` if it is unknown. See ``SeriesID/init(_:)``.
    public var series: SeriesID? { SeriesID(self) }
}

extension Programme {
    /// The highest minimum age in years of all ratings, from 0 to 21; `nil` if none is known.
    ///
    /// Ratings that recommend parental guidance without an age (`PG`, `TV-PG`) count as 8, the BBFC's age for `PG`.
    public var minimumAge: Int? { ratings.compactMap(\.minimumAge).max() }
}

extension Programme.Rating {
    /// The minimum age in years of an age rating, from 0 to 21; `nil` if it is unknown (`NR`, `Unrated`) or content advice.
    ///
    /// Case, spaces, hyphens and text in parentheses are ignored, and so are the content descriptors of TV Parental Guidelines:
    /// `TV14 (D,L,V)` and `TV-14-DLV` are `TV-14`. The label is looked up in the table of its system. If the system is missing or
    /// unknown, the result is the highest age of that label in any system. Labels in no table may contain a number: `12`, `12+`,
    /// `+12`, `-12`, `FSK 12`, `K12`, `14A`, `13 ans+`, `15세 이상 관람가`.
    public var minimumAge: Int? {
        let name = (system ?? "").ratingLabel
        guard name != "ADVISORY" else { return nil }
        var label = value.prefix { $0 != "(" }.ratingLabel
        // For example CAN_ENG_PG.
        for prefix in ["CANENG", "CANFRE"] where label.hasPrefix(prefix) { label.removeFirst(prefix.count) }
        // No label of these guidelines ends in a descriptor: suggestive dialogue, language, sexual situations, violence.
        if label.hasPrefix("TV"), !label.hasSuffix("FV") {
            while let last = label.last, "DLSV,/;.".contains(last), label.count > 2 { label.removeLast() }
        }
        if name == "DVB", let age = Self.age(dvbCode: label) { return age }
        if let system = AgeRatingSystem.all.first(where: { $0.names.contains(name) }), let age = system.ages[label] {
            return age
        }
        return AgeRatingSystem.all.compactMap { $0.ages[label] }.max() ?? Self.age(inNumber: label)
    }

    /// Returns the age of a `parental_rating_descriptor` (ETSI EN 300 468, 6.2.28): its code, 0x01 to 0x0F, plus 3.
    ///
    /// Receivers write either the hexadecimal code or the age as a plain number, which is not a code.
    private static func age(dvbCode text: String) -> Int? {
        guard text.hasPrefix("0X"), let code = Int(text.dropFirst(2), radix: 16), (1...15).contains(code) else {
            return nil
        }
        return code + 3
    }

    /// Returns the age in a label that consists of one number up to 21 and known affixes.
    private static func age(inNumber label: String) -> Int? {
        let parts = label.split { !$0.isASCII || !$0.isNumber }
        guard parts.count == 1, let digits = parts.first, digits.count <= 2, let age = Int(digits), age <= 21 else {
            return nil
        }
        let before = label[..<digits.startIndex]
        let after = label[digits.endIndex...]
        guard ["", "+", "FSK", "PEGI", "AGE", "AB", "R", "RP", "X", "C", "K", "VM"].contains(before),
            ["", "+", "A", "PG", "ANS", "ANS+", "YEARS", "YEARS+", "JAHREN", "JAHRE"].contains(after)
                || after.hasPrefix("세")
        else { return nil }
        return age
    }
}

extension StringProtocol {
    /// The text in uppercase without white space, hyphens and underscores.
    fileprivate var ratingLabel: String { uppercased().filter { !$0.isWhitespace && $0 != "-" && $0 != "_" } }
}

/// The labels of a rating system that are not numbers, with their ages in years.
private struct AgeRatingSystem: Sendable {
    /// The names of the system in feeds, as labels.
    let names: Set<String>
    let ages: [String: Int]

    /// The age of labels that recommend parental guidance without an age.
    private static let guidance = 8

    static let all = [
        adults, unitedStates, unitedKingdom, australia, newZealand, canada, netherlands, france, spain, korea, brazil,
        finland, southAfrica,
    ]

    /// Labels of adult programmes in no system. Receivers and middleware write 99.
    private static let adults = AgeRatingSystem(
        names: [], ages: ["XX": 18, "XXX": 18, "ADULT": 18, "ADULTS": 18, "ADULTONLY": 18, "ADULTSONLY": 18, "99": 18])

    /// The TV Parental Guidelines (47 CFR 15.120, tvguidelines.org) and the ratings of the Motion Picture Association
    /// (filmratings.com). Feeds confuse the two systems.
    private static let unitedStates = AgeRatingSystem(
        names: [
            "VCHIP", "TVPARENTALGUIDELINES", "USAPARENTALRATING", "TVPG", "MPAA", "MPA",
            "MOTIONPICTUREASSOCIATIONOFAMERICA", "US",
            "USA",
        ],
        ages: [
            "TVY": 0, "TVY7": 7, "TVY7FV": 7, "TVG": 0, "TVPG": guidance, "TV14": 14, "TVMA": 17, "G": 0,
            "PG": guidance, "PG13": 13,
            "R": 17, "NC17": 18, "X": 18,
        ])

    /// British Board of Film Classification (bbfc.co.uk): `PG` should not unsettle a child aged around eight or older.
    private static let unitedKingdom = AgeRatingSystem(
        names: ["BBFC", "BRITISHBOARDOFFILMCLASSIFICATION", "GB", "UK"],
        ages: ["U": 0, "UC": 0, "PG": 8, "12A": 12, "R18": 18])

    /// National Classification Code (classification.gov.au) and the code of practice of Free TV Australia: `M` is not
    /// recommended under 15.
    private static let australia = AgeRatingSystem(
        names: ["ACB", "AUSTRALIANCLASSIFICATIONBOARD", "OFLC", "ACMA", "FREETV", "AU", "AUSTRALIA"],
        ages: [
            "P": 0, "C": 0, "G": 0, "PG": guidance, "M": 15, "MA": 15, "MA15": 15, "MA15+": 15, "AV15+": 15, "R": 18,
            "R18+": 18,
            "X18+": 18,
        ])

    /// Te Mana Whakaatu, the Classification Office (classificationoffice.govt.nz), and the Broadcasting Standards Authority:
    /// `M` is more suitable for 16 and over, `AO` for adults.
    private static let newZealand = AgeRatingSystem(
        names: ["NEWZEALAND", "NZ", "BSA"], ages: ["G": 0, "PG": guidance, "PGR": guidance, "M": 16, "AO": 18])

    /// The classification of the Canadian Broadcast Standards Council (`C`, `C8+`, `G`, `PG`, `14+`, `18+`) and of film
    /// boards (`14A`).
    private static let canada = AgeRatingSystem(
        names: [
            "CA", "CANADA", "CANADIANPARENTALRATING", "CHVRS", "CBSC", "ALBERTA'SFILMCLASSIFICATIONBOARD",
            "B.C.FILMCLASSIFICATIONOFFICE", "MANITOBAFILMCLASSIFICATIONBOARD", "MARITIMEFILMCLASSIFICATIONBOARD",
            "ONTARIOFILMREVIEWBOARD", "SASKATCHEWANFILMANDVIDEOCLASSIFICATIONBOARD",
        ],
        ages: ["C": 0, "C8": 8, "C8+": 8, "G": 0, "PG": guidance, "R": 18, "A": 18])

    /// NICAM's Kijkwijzer (kijkwijzer.nl): `AL` is for all ages.
    private static let netherlands = AgeRatingSystem(names: ["KIJKWIJZER", "NICAM", "NL"], ages: ["AL": 0])

    /// Arcom, formerly CSA (arcom.fr): numbers from `-10` to `-18`, and `TP` or `U` for all ages.
    private static let france = AgeRatingSystem(
        names: ["CSA", "ARCOM", "CNC", "FR"], ages: ["TP": 0, "TOUSPUBLICS": 0, "TOUTPUBLIC": 0, "U": 0])

    /// Instituto de la Cinematografía y de las Artes Audiovisuales and the code of Spanish broadcasters: `A` and `TP` are
    /// for all ages, `ERI` and `INF` especially for children.
    private static let spain = AgeRatingSystem(
        names: ["ICAA", "ES", "SPAIN"], ages: ["A": 0, "TP": 0, "APTA": 0, "ERI": 0, "INF": 0, "X": 18])

    /// Korea Communications Standards Commission and Media Rating Board: ages in years, `전체 관람가` for all ages, and
    /// `청소년 관람불가` for adults only.
    private static let korea = AgeRatingSystem(
        names: ["KMRB", "KCSC", "KR"], ages: ["전체관람가": 0, "모든연령시청가": 0, "ALL": 0, "청소년관람불가": 18])

    /// Ministério da Justiça (ClassInd): numbers from 10 to 18, with the prefix `A` for the self-classification of
    /// broadcasters, and `L` (livre) for all ages.
    private static let brazil = AgeRatingSystem(
        names: ["DEPARTAMENTODEJUSTIÇA,CLASSIFICAÇÃO,TÍTULOSEQUALIFICAÇÃO", "DJCTQ", "CLASSIND", "BR"],
        ages: ["L": 0, "AL": 0, "A10": 10, "A12": 12, "A14": 14, "A16": 16, "A18": 18])

    /// Kansallinen audiovisuaalinen instituutti (kavi.fi): `K7` to `K18`, and `S` for all ages.
    private static let finland = AgeRatingSystem(
        names: ["MEDIAKASVATUSJAKUVAOHJELMAYKSIKKÖ", "MEKU", "KAVI", "FI"], ages: ["S": 0, "T": 0])

    /// Film and Publication Board (fpb.org.za): `A` for all ages, `PG` for children with an adult, `X18` for adult shops.
    private static let southAfrica = AgeRatingSystem(
        names: ["FILM&PUBLICATIONBOARD", "FILMANDPUBLICATIONBOARD", "FPB", "ZA"],
        ages: ["A": 0, "PG": guidance, "79PG": 7, "1012PG": 10, "X18": 18, "XX": 18])
}
