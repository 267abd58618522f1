import EPGJSON
package import EPGModel

/// A row of a result of any store, with 0-based columns. It is valid until the next row.
package protocol StoredRow {
    /// Returns an integer; 0 for NULL.
    func integer(_ index: Int32) -> Int64

    /// Returns an integer; `nil` for NULL.
    func integerIfPresent(_ index: Int32) -> Int64?

    /// Returns a flag; `false` for NULL.
    func flag(_ index: Int32) -> Bool

    /// Returns a text; `nil` for NULL.
    func textIfPresent(_ index: Int32) -> String?

    /// Returns a copy of the bytes of a text or a blob; none for NULL.
    func blob(_ index: Int32) -> [UInt8]
}

extension StoredRow {
    /// Returns a text; empty for NULL.
    package func text(_ index: Int32) -> String { textIfPresent(index) ?? "" }

    /// Returns the window of two columns, which is empty for a damaged row whose stop is not after its start.
    package func window(_ start: Int32, _ stop: Int32) -> TimeWindow {
        let first = Instant(secondsSince1970: integer(start))
        return TimeWindow(start: first, end: max(first, Instant(secondsSince1970: integer(stop))))
    }

    /// Returns the attributes of a JSON object; none for NULL.
    package func attributes(_ index: Int32) throws -> [ContentAttribute] {
        let document = blob(index)
        return document.isEmpty ? [] : try StoredDocument.attributes(document)
    }
}

/// The columns of airings (`a`) and programmes (`p`).
package enum AiringColumns {
    /// The columns of an airing in a grid.
    package static let brief = """
        a.id, a.start, a.stop, a.part, a.parts, a.inferred, a.published_start, a.published_stop, \
        p.title, p.subtitle, p.category, p.is_new, p.is_premiere, p.is_live, p.is_derived, \
        p.is_repeat, p.genre
        """

    /// All columns of an ``Airing``.
    package static let full = brief + ", p.description, p.document"

    /// The columns of an ``AiringOutline``; the first seven equal the first of ``brief``.
    package static let outline = "a.id, a.start, a.stop, a.part, a.parts, a.inferred, a.published_start, a.programme_id"

    /// The columns of ``StoredContent``; the first seven equal the first of ``brief``.
    package static let content = outline + ", a.published_stop"

    /// The columns of an ``ExportedAiring``, with the transmission `t`.
    package static let exported = full + ", t.attributes"

    /// The number of columns of ``full``.
    package static let fullCount: Int32 = 19
}

extension StoredRow {
    /// Returns an airing from ``AiringColumns/brief``, clipped to its shown time.
    package func brief(station: StationID, shown: TimeWindow? = nil) -> Airing {
        var airing = Airing(
            id: AiringID(integer(0)), station: station, window: window(1, 2), clump: clump, published: published,
            isStopInferred: isStopInferred, isContinuation: isContinuation, title: text(8), subtitle: textIfPresent(9),
            categories: textIfPresent(10).map { [$0] } ?? [], marks: marks(from: 11), genre: genre(16))
        if let shown { airing.show(shown) }
        return airing
    }

    /// Returns the airing from the columns ``AiringColumns/full``.
    ///
    /// - Parameter shown: The shown time; `nil` for the stored one.
    package func full(station: StationID, shown: TimeWindow? = nil) throws -> Airing {
        full(station: station, shown: shown, of: try programme)
    }

    /// Returns the airing from the columns ``AiringColumns/full``, whose programme is known.
    package func full(station: StationID, shown: TimeWindow? = nil, of programme: Programme) -> Airing {
        var airing = brief(station: station, shown: shown)
        airing.description = textIfPresent(17)
        airing.categories = programme.categories.map(\.text)
        if let label = programme.episodeLabel {
            airing.episode = label
        } else if let derived = programme.derivedEpisode {
            (airing.episode, airing.episodeSource) = (derived.label, derived.field)
        }
        return airing
    }

    /// Returns the airing from the columns ``AiringColumns/full``, with the attributes of its transmission after them.
    ///
    /// - Parameters:
    ///   - source: The name of the source.
    ///   - shown: The shown time; `nil` for the stored one.
    package func exported(station: StationID, source: String, shown: TimeWindow?) throws -> ExportedAiring {
        var airing = ExportedAiring(station: station, window: window(1, 2), programme: storedProgramme, source: source)
        airing.published = published
        airing.isStopInferred = isStopInferred
        airing.isContinuation = isContinuation
        airing.clump = clump
        airing.transmission = try attributes(AiringColumns.fullCount)
        if let shown, shown != airing.window {
            airing.published = airing.published ?? PublishedTimes(start: airing.window.start, stop: airing.window.end)
            airing.window = shown
        }
        return airing
    }

    /// Returns the airing from the columns ``AiringColumns/outline``.
    ///
    /// - Parameter shown: The shown time; `nil` for the stored one.
    package func outline(shown: TimeWindow?) -> AiringOutline {
        AiringOutline(
            id: AiringID(integer(0)), window: shown ?? window(1, 2), programme: integer(7),
            isStopInferred: isStopInferred, isInClump: clump != nil, isContinuation: isContinuation)
    }

    /// Returns the airing from the columns ``AiringColumns/content``.
    ///
    /// - Parameter shown: The shown time; `nil` for the stored one.
    package func content(shown: TimeWindow?) -> StoredContent {
        var hash = ContentHash(high: 0, low: 0)
        hash.add(integer(1), integer(2))
        hash.add(integer(3), integer(4))
        hash.add(isStopInferred ? 1 : 0, integerIfPresent(6) ?? .min)
        hash.add(integerIfPresent(8) ?? .min, 0)
        return StoredContent(
            id: AiringID(integer(0)), window: shown ?? window(1, 2), programme: integer(7), hash: hash)
    }

    /// The programme from the columns ``AiringColumns/full``.
    package var programme: Programme { get throws { Programme(nodes: try storedProgramme.nodes()) } }

    /// Returns the stored programme from ``AiringColumns/full``.
    package var storedProgramme: StoredProgramme {
        StoredProgramme(
            title: text(8), subtitle: textIfPresent(9), description: textIfPresent(17), category: textIfPresent(10),
            marks: marks(from: 11), document: blob(18))
    }

    /// Returns the marks from the five columns `is_new`, `is_premiere`, `is_live`, `is_derived` and `is_repeat`.
    package func marks(from index: Int32) -> AiringMarks {
        var marks: AiringMarks = []
        if flag(index) { marks.insert(.new) }
        if flag(index + 1) { marks.insert(.premiere) }
        if flag(index + 2) { marks.insert(.live) }
        if flag(index + 3) { marks.insert(.derived) }
        if flag(index + 4) { marks.insert(.repeated) }
        return marks
    }

    /// Returns the genre of the column `genre`.
    package func genre(_ index: Int32) -> ProgrammeGenre {
        ProgrammeGenre(rawValue: UInt16(clamping: integer(index)))
    }

    /// The place of the airing in its clump; `nil` for an airing with a window of its own.
    package var clump: Clump? { Clump(index: Int(integer(3)), count: Int(integer(4))) }

    /// Whether the feed has no usable stop.
    package var isStopInferred: Bool { flag(5) }

    /// Whether the airing starts later than in the feed.
    package var isContinuation: Bool { integerIfPresent(6).map { $0 < integer(1) } ?? false }

    /// Returns the times in the feed if they differ.
    package var published: PublishedTimes? {
        integerIfPresent(6).map { start in
            PublishedTimes(
                start: Instant(secondsSince1970: start), stop: integerIfPresent(7).map(Instant.init(secondsSince1970:)))
        }
    }
}

extension Programme {
    /// Returns the readable episode number: from `xmltv_ns`, else `onscreen`, else any other.
    fileprivate var episodeLabel: String? {
        if let label = episodeNumbers.lazy.compactMap({ $0.position?.label }).first { return label }
        let onscreen = episodeNumbers.first { $0.system == "onscreen" }
        return (onscreen ?? episodeNumbers.first { $0.system != "xmltv_ns" })?.value
    }
}
