import EPGModel
import GRDB

extension StationOverlay {
    /// How much of an airing is read.
    enum Extent {
        case brief
        case full
    }

    static let briefSQL = """
        SELECT \(AiringColumns.brief) FROM airing a CROSS JOIN programme p ON p.id = a.programme_id
        WHERE a.source_id = ? AND a.station_id = ? AND a.start = ? ORDER BY a.part
        """

    static let fullSQL = """
        SELECT \(AiringColumns.full) FROM airing a CROSS JOIN programme p ON p.id = a.programme_id
        WHERE a.source_id = ? AND a.station_id = ? AND a.start = ? ORDER BY a.part
        """

    /// The airings that are shown during a window, in order.
    mutating func airings(during window: TimeWindow, of id: StationID, as extent: Extent) throws -> [Airing] {
        try shown(during: Span(window)).flatMap { try airings(at: $0, of: id, as: extent) }
    }

    /// The first airing that starts after an instant.
    mutating func nextAiring(after instant: Instant, of id: StationID) throws -> Airing? {
        try next(after: instant.secondsSince1970).flatMap { try airings(at: $0, of: id, as: .brief).first }
    }

    private func airings(at shown: Shown, of id: StationID, as extent: Extent) throws -> [Airing] {
        var airings: [Airing] = []
        try database.rows(
            extent == .full ? Self.fullSQL : Self.briefSQL, .integer(shown.source), .integer(station),
            .integer(shown.stored.start)
        ) { columns in
            var airing =
                extent == .full
                ? try AiringColumns.full(columns, station: id) : AiringColumns.brief(columns, station: id)
            airing.show(shown.span)
            airings.append(airing)
            return true
        }
        return airings
    }
}

extension StationOverlay.Span {
    init(_ window: TimeWindow) {
        self.init(start: window.start.secondsSince1970, stop: window.end.secondsSince1970)
    }
}

extension Airing {
    /// Cuts the window to what is shown of it, and keeps what was published.
    mutating func show(_ span: StationOverlay.Span) {
        guard StationOverlay.Span(window) != span else { return }
        published = published ?? PublishedTimes(start: window.start, stop: window.end)
        window = TimeWindow(span)
        isCut = true
    }
}

extension TimeWindow {
    init(_ span: StationOverlay.Span) {
        self.init(
            start: Instant(secondsSince1970: span.start), end: Instant(secondsSince1970: max(span.start, span.stop)))
    }
}
