/// The names of elements and attributes that XMLTV defines or that real feeds add to it.
///
/// Comparing one of these costs nothing, where comparing the bytes of a name does.
public enum XMLTVName: UInt8, BitwiseCopyable, Sendable, CaseIterable {
    /// A name that isn't in the list: look at its bytes.
    case other = 0
    case tv, channel, programme, title, subTitle, desc, credits, date, category, keyword, language
    case origLanguage, length, icon, url, country, episodeNum, video, audio, previouslyShown, premiere
    case lastChance, new, subtitles, rating, starRating, review, image, value, present, colour, aspect
    case quality, stereo, director, actor, writer, adapter, producer, composer, editor, presenter
    case commentator, guest, displayName, lcn, season, episode, seriesDesc, live, summary, audioDescribed
    case lang, src, width, height, system, units, type, start, role, size, orient, source, reviewer
    case pdcStart, vpsStart, showview, videoplus, clumpidx, catchupId, id, stop, sourceInfoUrl
    case sourceInfoName, sourceDataUrl, generatorInfoName, generatorInfoUrl

    /// The name as it is written in a guide; empty for ``other``.
    public var text: StaticString { Self.texts[Int(rawValue)] }

    /// Whether it names an element whose content is a text, by `xmltv.dtd`; those that occur only in credits don't count.
    public var namesText: Bool { Self.textElements >> UInt64(rawValue) & 1 != 0 }

    /// A bit for each case up to ``displayName``, the last of the elements that hold a text.
    private static let textElements: UInt64 = [
        title, subTitle, desc, date, category, keyword, language, origLanguage, length, url, country, episodeNum,
        premiere, lastChance, review, image, displayName,
    ].reduce(0) { $0 | 1 << UInt64($1.rawValue) }

    /// The names for which ``namesText`` is true.
    static let textElementNames = Set(allCases.filter(\.namesText).map { "\($0.text)" })

    /// In the order of the cases.
    private static let texts: [StaticString] = [
        "",
        "tv", "channel", "programme", "title", "sub-title", "desc", "credits", "date", "category", "keyword",
        "language", "orig-language", "length", "icon", "url", "country", "episode-num", "video", "audio",
        "previously-shown", "premiere", "last-chance", "new", "subtitles", "rating", "star-rating", "review",
        "image", "value", "present", "colour", "aspect", "quality", "stereo", "director", "actor", "writer",
        "adapter", "producer", "composer", "editor", "presenter", "commentator", "guest", "display-name",
        "lcn", "season", "episode", "series-desc", "live", "summary", "audio-described", "lang", "src",
        "width", "height", "system", "units", "type", "start", "role", "size", "orient", "source", "reviewer",
        "pdc-start", "vps-start", "showview", "videoplus", "clumpidx", "catchup-id", "id", "stop",
        "source-info-url", "source-info-name", "source-data-url", "generator-info-name", "generator-info-url",
    ]
}
