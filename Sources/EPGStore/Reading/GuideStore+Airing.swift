public import EPGModel
import GRDB

extension GuideStore {
    public func airing(_ id: AiringID) throws -> AiringDetail? {
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
                var attributes = ContentDecoder(columns.blob(13))
                let detail = AiringDetail(
                    airing: try AiringColumns.full(columns, station: StationID(columns.text(14))),
                    stationName: columns.text(15), programme: try AiringColumns.programme(columns),
                    transmission: try attributes.attributes(), source: columns.text(16),
                    isShown: columns.integer(19) != 0)
                return (
                    detail: detail, station: columns.integer(17), source: columns.integer(18),
                    isShared: columns.integer(20) != 0
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

    public func sources() throws -> [SourceSummary] {
        try read { database in
            var summaries: [SourceSummary] = []
            try database.rows(
                """
                SELECT \(SourceRow.columns),
                       (SELECT count(*) FROM coverage c WHERE c.source_id = o.id),
                       (SELECT count(*) FROM airing a WHERE a.source_id = o.id),
                       (SELECT max(stop) FROM airing a WHERE a.source_id = o.id), t.header
                FROM source o LEFT JOIN source_state t ON t.source_id = o.id ORDER BY o.name
                """
            ) { columns in
                var header = ContentDecoder(columns.blob(SourceRow.count + 3))
                summaries.append(
                    SourceSummary(
                        source: SourceRow.source(columns), state: SourceRow.state(columns),
                        stations: Int(columns.integer(SourceRow.count)),
                        airings: Int(columns.integer(SourceRow.count + 1)),
                        end: columns.integerIfPresent(SourceRow.count + 2).map(Instant.init(secondsSince1970:)),
                        header: try header.attributes()))
                return true
            }
            return summaries
        }
    }
}
