package import EPGModel
import GRDB

extension GuideStore {
    package func airing(_ id: AiringID) throws -> AiringDetail? {
        try read { database in
            let found = try database.firstRow(
                """
                SELECT \(AiringColumns.full), t.attributes, s.feed_id, s.name, o.name,
                    a.station_id, a.source_id, s.source_id = a.source_id, s.is_shared
                FROM airing a
                CROSS JOIN programme p ON p.id = a.programme_id
                CROSS JOIN station s ON s.id = a.station_id
                CROSS JOIN source o ON o.id = a.source_id
                LEFT JOIN transmission t ON t.id = a.transmission_id
                WHERE a.id = ?
                """, .integer(id.rawValue)
            ) { columns in
                let next = AiringColumns.fullCount
                let detail = AiringDetail(
                    airing: try AiringColumns.full(columns, station: StationID(columns.text(next + 1))),
                    stationName: columns.text(next + 2), programme: try AiringColumns.programme(columns),
                    transmission: try columns.attributes(next), source: columns.text(next + 3),
                    isShown: columns.integer(next + 6) != 0)
                return (
                    detail: detail, station: columns.integer(next + 4), source: columns.integer(next + 5),
                    isShared: columns.integer(next + 7) != 0
                )
            }
            guard var found else { return nil }
            if found.isShared {
                var overlay = try StationOverlay(database, station: found.station)
                let span = try overlay.span(of: StationOverlay.Span(found.detail.airing.window), source: found.source)
                if let span { found.detail.airing.show(span) }
                found.detail.isShown = span != nil
            }
            return found.detail
        }
    }
}
