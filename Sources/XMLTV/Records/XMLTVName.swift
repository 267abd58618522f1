/// Names of elements and attributes that XMLTV defines or that real feeds add.
///
/// Comparing cases is faster than comparing the bytes of names.
public enum XMLTVName: UInt8, BitwiseCopyable, Sendable, CaseIterable {
    /// Any other name, which only its bytes identify.
    case other = 0
    case tv, channel, programme, title, subTitle, desc, credits, date, category, keyword, language
    case origLanguage, length, icon, url, country, episodeNum, video, audio, previouslyShown, premiere
    case lastChance, new, subtitles, rating, starRating, review, image, value, present, colour, aspect
    case quality, stereo, director, actor, writer, adapter, producer, composer, editor, presenter
    case commentator, guest, displayName, lcn, season, episode, seriesDesc, live, summary, audioDescribed, derived
    case lang, src, width, height, system, units, type, start, role, size, orient, source, reviewer
    case pdcStart, vpsStart, showview, videoplus, clumpidx, catchupId, id, stop, sourceInfoUrl
    case sourceInfoName, sourceDataUrl, generatorInfoName, generatorInfoUrl

    /// The name as written in a guide; empty for ``other``.
    public var text: StaticString { Self.texts[Int(rawValue)] }

    /// Whether the name is of an element with text content in `xmltv.dtd`, except elements that occur only in credits.
    public var namesText: Bool { Self.textElements >> UInt64(rawValue) & 1 != 0 }

    /// A bit for each case up to ``displayName``, the last element that holds text.
    private static let textElements: UInt64 = [
        title, subTitle, desc, date, category, keyword, language, origLanguage, length, url, country, episodeNum,
        premiere, lastChance, review, image, displayName,
    ].reduce(0) { $0 | 1 << UInt64($1.rawValue) }

    /// The names for which ``namesText`` is true.
    static let textElementNames = Set(allCases.filter(\.namesText).map { "\($0.text)" })

    /// The known names by their text.
    static let byText = Dictionary(uniqueKeysWithValues: allCases.dropFirst().map { ("\($0.text)", $0) })

    /// The names in the order of the cases.
    private static let texts: [StaticString] = [
        "",
        "tv", "channel", "programme", "title", "sub-title", "desc", "credits", "date", "category", "keyword",
        "language", "orig-language", "length", "icon", "url", "country", "episode-num", "video", "audio",
        "previously-shown", "premiere", "last-chance", "new", "subtitles", "rating", "star-rating", "review",
        "image", "value", "present", "colour", "aspect", "quality", "stereo", "director", "actor", "writer",
        "adapter", "producer", "composer", "editor", "presenter", "commentator", "guest", "display-name",
        "lcn", "season", "episode", "series-desc", "live", "summary", "audio-described", "derived", "lang", "src",
        "width", "height", "system", "units", "type", "start", "role", "size", "orient", "source", "reviewer",
        "pdc-start", "vps-start", "showview", "videoplus", "clumpidx", "catchup-id", "id", "stop",
        "source-info-url", "source-info-name", "source-data-url", "generator-info-name", "generator-info-url",
    ]
}

/// A lookup table from bytes to ``XMLTVName``: a hash table of 256 slots with linear probing.
struct NameTable: Sendable {
    /// Raw values of names; 0 in a free slot.
    private let places: [UInt8]
    /// The first eight bytes of each name, zero-padded.
    private let heads: [UInt64]
    private let texts: [[UInt8]]

    init() {
        var places = [UInt8](repeating: 0, count: 256)
        var heads: [UInt64] = []
        var texts: [[UInt8]] = []
        for name in XMLTVName.allCases {
            let bytes = Array("\(name.text)".utf8)
            texts.append(bytes)
            heads.append(bytes.prefix(8).enumerated().reduce(0) { $0 | UInt64($1.element) << UInt64($1.offset * 8) })
            guard let first = bytes.first, let last = bytes.last else { continue }
            var place = Self.place(first: first, last: last, count: bytes.count)
            while places[place] != 0 { place = (place + 1) & 255 }
            places[place] = name.rawValue
        }
        self.places = places
        self.heads = heads
        self.texts = texts
    }

    /// Returns the name at an offset.
    ///
    /// - Precondition: `count > 0`, and eight bytes are readable at `start` (the window is padded).
    @inline(__always)
    func name(in bytes: Span<UInt8>, at start: Int, count: Int) -> XMLTVName {
        let head = bytes.eightBytes(at: start) & (count >= 8 ? .max : (1 << UInt64(count &* 8)) &- 1)
        var place = Self.place(first: bytes[start], last: bytes[start &+ count &- 1], count: count)
        while true {
            let candidate = Int(places[place])
            if candidate == 0 { return .other }
            if heads[candidate] == head, matches(candidate, bytes, start, count) {
                return XMLTVName(rawValue: UInt8(candidate)) ?? .other
            }
            place = (place &+ 1) & 255
        }
    }

    /// Returns whether the length and the bytes after the first eight match a name.
    @inline(__always)
    private func matches(_ candidate: Int, _ bytes: Span<UInt8>, _ start: Int, _ count: Int) -> Bool {
        guard texts[candidate].count == count else { return false }
        var index = 8
        while index < count {
            if texts[candidate][index] != bytes[start &+ index] { return false }
            index &+= 1
        }
        return true
    }

    @inline(__always)
    private static func place(first: UInt8, last: UInt8, count: Int) -> Int {
        (Int(first) &* 7 &+ Int(last) &* 29 &+ count &* 53) & 255
    }
}
