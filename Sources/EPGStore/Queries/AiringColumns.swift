import EPGJSON
import EPGModel

/// The columns that become airings and programmes; `a` is the airing, `p` its programme.
enum AiringColumns {
    /// What a grid shows of an airing.
    static let brief = """
        a.id, a.start, a.stop, a.part, a.parts, a.inferred, a.published_start, a.published_stop, \
        p.title, p.subtitle, p.category, p.is_new, p.is_premiere, p.is_live
        """

    /// Everything that an ``Airing`` holds.
    static let full = brief + ", p.description, p.document"

    /// What an ``AiringOutline`` holds; the first six are those of ``brief``.
    static let outline = "a.id, a.start, a.stop, a.part, a.parts, a.inferred, a.programme_id"

    /// The number of columns of ``full``.
    static let fullCount: Int32 = 16
}

extension Columns {
    /// An airing of ``AiringColumns/brief``, without description, further categories and episode, cut to what is shown of it.
    func brief(station: StationID, shown: TimeWindow? = nil) -> Airing {
        var airing = Airing(
            id: AiringID(integer(0)), station: station, window: window(1, 2), clump: clump, published: published,
            isStopInferred: isStopInferred, title: text(8), subtitle: textIfPresent(9),
            categories: textIfPresent(10).map { [$0] } ?? [], marks: marks(from: 11))
        if let shown { airing.show(shown) }
        return airing
    }

    func full(station: StationID, shown: TimeWindow? = nil) throws -> Airing {
        var airing = brief(station: station, shown: shown)
        let programme = try programme
        airing.description = textIfPresent(14)
        airing.categories = programme.categories.map(\.text)
        airing.episode = programme.episodeLabel
        return airing
    }

    func outline(shown: TimeWindow?) -> AiringOutline {
        AiringOutline(
            id: AiringID(integer(0)), window: shown ?? window(1, 2), programme: integer(6),
            isStopInferred: isStopInferred, isInClump: clump != nil)
    }

    var programme: Programme { get throws { Programme(nodes: try storedProgramme.nodes()) } }

    /// What is stored of the programme of ``AiringColumns/full``.
    var storedProgramme: StoredProgramme {
        StoredProgramme(
            title: text(8), subtitle: textIfPresent(9), description: textIfPresent(14), category: textIfPresent(10),
            marks: marks(from: 11), document: blob(15))
    }

    func marks(from index: Int32) -> AiringMarks {
        var marks: AiringMarks = []
        if integer(index) != 0 { marks.insert(.new) }
        if integer(index + 1) != 0 { marks.insert(.premiere) }
        if integer(index + 2) != 0 { marks.insert(.live) }
        return marks
    }

    var clump: Clump? { Clump(index: Int(integer(3)), count: Int(integer(4))) }

    var isStopInferred: Bool { integer(5) != 0 }

    /// What the feed said of an airing, where that differs.
    var published: PublishedTimes? {
        integerIfPresent(6).map { start in
            PublishedTimes(
                start: Instant(secondsSince1970: start), stop: integerIfPresent(7).map(Instant.init(secondsSince1970:)))
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
