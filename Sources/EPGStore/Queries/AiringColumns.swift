import EPGJSON
import EPGModel

/// The one place where columns become airings and programmes.
enum AiringColumns {
    /// What a grid shows of an airing; `a` is the airing, `p` its programme.
    static let brief = """
        a.id, a.start, a.stop, a.part, a.parts, a.inferred, a.published_start, a.published_stop, \
        p.title, p.subtitle, p.category, p.is_new, p.is_premiere, p.is_live
        """

    /// Everything that an ``Airing`` holds.
    static let full = brief + ", p.description, p.document"

    /// What an ``AiringOutline`` holds; the first six columns are those of ``brief``.
    static let outline = "a.id, a.start, a.stop, a.part, a.parts, a.inferred, a.programme_id"

    /// The number of columns of ``full``.
    static let fullCount: Int32 = 16

    /// An airing of ``brief``: description, further categories and episode are left out.
    ///
    /// - Parameter shown: What is shown of it, if that may be less.
    static func brief(_ columns: Columns, station: StationID, shown: TimeWindow? = nil) -> Airing {
        var airing = Airing(
            id: AiringID(columns.integer(0)), station: station, window: columns.window(1, 2), clump: clump(columns),
            published: published(columns), isStopInferred: columns.integer(5) != 0, title: columns.text(8),
            subtitle: columns.textIfPresent(9), categories: columns.textIfPresent(10).map { [$0] } ?? [],
            marks: marks(columns, from: 11))
        if let shown { airing.show(shown) }
        return airing
    }

    /// An airing of ``full``.
    static func full(_ columns: Columns, station: StationID, shown: TimeWindow? = nil) throws -> Airing {
        var airing = brief(columns, station: station, shown: shown)
        let programme = try programme(columns)
        airing.description = columns.textIfPresent(14)
        airing.categories = programme.categories.map(\.text)
        airing.episode = programme.episodeLabel
        return airing
    }

    /// An outline of ``outline``.
    static func outline(_ columns: Columns, shown: TimeWindow?) -> AiringOutline {
        AiringOutline(
            id: AiringID(columns.integer(0)), window: shown ?? columns.window(1, 2), programme: columns.integer(6),
            isStopInferred: columns.integer(5) != 0, isInClump: clump(columns) != nil)
    }

    /// The programme of ``full``.
    static func programme(_ columns: Columns) throws -> Programme { Programme(nodes: try stored(columns).nodes()) }

    /// What is stored of the programme of ``full``.
    static func stored(_ columns: Columns) -> StoredProgramme {
        StoredProgramme(
            title: columns.text(8), subtitle: columns.textIfPresent(9), description: columns.textIfPresent(14),
            category: columns.textIfPresent(10), marks: marks(columns, from: 11), document: columns.blob(15))
    }

    /// The marks of three columns.
    static func marks(_ columns: Columns, from index: Int32) -> AiringMarks {
        var marks: AiringMarks = []
        if columns.integer(index) != 0 { marks.insert(.new) }
        if columns.integer(index + 1) != 0 { marks.insert(.premiere) }
        if columns.integer(index + 2) != 0 { marks.insert(.live) }
        return marks
    }

    /// The place in a clump of ``brief``.
    static func clump(_ columns: Columns) -> Clump? {
        Clump(index: Int(columns.integer(3)), count: Int(columns.integer(4)))
    }

    /// What the feed said of ``brief``, where that differs.
    static func published(_ columns: Columns) -> PublishedTimes? {
        columns.integerIfPresent(6).map { start in
            PublishedTimes(
                start: Instant(secondsSince1970: start),
                stop: columns.integerIfPresent(7).map(Instant.init(secondsSince1970:)))
        }
    }
}

extension Programme {
    /// The number for people: what `xmltv_ns` says, else what stands on the screen, else whatever is given.
    fileprivate var episodeLabel: String? {
        if let label = episodeNumbers.lazy.compactMap({ $0.position?.label }).first { return label }
        let onscreen = episodeNumbers.first { $0.system == "onscreen" }
        return (onscreen ?? episodeNumbers.first { $0.system != "xmltv_ns" })?.value
    }
}
