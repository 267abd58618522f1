import EPGModel

/// The one place where columns become airings and programmes.
enum AiringColumns {
    /// What a grid shows of an airing; `a` is the airing, `p` its programme.
    static let brief = """
        a.id, a.start, a.stop, a.part, a.parts, a.inferred, a.published_start, a.published_stop, \
        p.title, p.subtitle, p.category, p.document
        """

    /// Everything that an ``Airing`` holds.
    static let full = brief + ", p.description"

    /// An airing of ``brief``: description, further categories and episode are left out.
    static func brief(_ columns: Columns, station: StationID) -> Airing {
        Airing(
            id: AiringID(columns.integer(0)), station: station, window: window(columns, 1, 2), clump: clump(columns),
            published: published(columns), isStopInferred: columns.integer(5) != 0, title: columns.text(8),
            subtitle: columns.textIfPresent(9), categories: columns.textIfPresent(10).map { [$0] } ?? [],
            marks: columns.withBlob(11) { AiringMarks(document: $0.span) })
    }

    /// An airing of ``full``.
    static func full(_ columns: Columns, station: StationID) throws -> Airing {
        var airing = brief(columns, station: station)
        let programme = try programme(columns)
        airing.description = columns.textIfPresent(12)
        airing.categories = programme.categories.map(\.text)
        airing.episode = programme.episodeLabel
        return airing
    }

    /// The programme of ``full``.
    static func programme(_ columns: Columns) throws -> Programme {
        Programme(nodes: try nodes(columns))
    }

    /// The content of ``full`` as the feed gave it.
    static func nodes(_ columns: Columns) throws -> [ContentNode] {
        var decoder = ContentDecoder(
            columns.blob(11),
            hoisted: ["title": columns.text(8), "sub-title": columns.text(9), "desc": columns.text(12)])
        return try decoder.nodes()
    }

    /// The window of two columns; a damaged row, whose stop is not after its start, is one of no length.
    static func window(_ columns: Columns, _ start: Int32, _ stop: Int32) -> TimeWindow {
        let first = Instant(secondsSince1970: columns.integer(start))
        return TimeWindow(start: first, end: max(first, Instant(secondsSince1970: columns.integer(stop))))
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
    var episodeLabel: String? {
        for number in episodeNumbers {
            if let label = number.position?.label { return label }
        }
        let onscreen = episodeNumbers.first { $0.system == "onscreen" }
        return (onscreen ?? episodeNumbers.first { $0.system != "xmltv_ns" })?.value
    }
}
