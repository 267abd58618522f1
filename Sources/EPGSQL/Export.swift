import EPGJSON
package import EPGModel

extension SQLReading {
    /// Visits stations and airings; see ``GuideReading/export(_:to:)``.
    ///
    /// - Precondition: The visitor does not use this store, because its connection is busy.
    package func export<Visitor: GuideVisitor>(_ selection: ExportSelection, to visitor: inout Visitor) throws {
        try reading { connection in
            let sources = try connection.values("SELECT id, name FROM source ORDER BY id") {
                ($0.integer(0), $0.text(1))
            }
            let scope = try ExportScope(of: selection, in: sources)
            try visitor.begin(header: connection.header(of: scope.describingSource))
            var stations: [VisibleStation] = []
            try connection.rows(Self.stationsSQL(selection), [.integer(scope.source)], streams: false) { row in
                let found = try StoredStation(row)
                guard selection.stations?(found.row.station) ?? true else { return true }
                stations.append(
                    VisibleStation(
                        key: row.integer(6), id: found.row.station.id, name: found.row.station.name,
                        source: scope.source ?? row.integerIfPresent(7), position: found.row.row,
                        isShared: scope.source == nil && row.flag(8)))
                try visitor.station(found.row, nodes: found.nodes)
                return true
            }
            // One by one, because one station can have as many airings as the import limit, each with a long description.
            for station in stations where !scope.window.isEmpty {
                try visitAirings(of: station, during: scope.window) { row, source, shown in
                    try visitor.airing(
                        row.exported(station: station.id, source: scope.sourceNames[source] ?? "", shown: shown))
                }
            }
            try visitor.end()
        }
    }

    /// Returns the statement of the selected stations; with a selected source, only that source counts.
    private static func stationsSQL(_ selection: ExportSelection) -> String {
        """
        SELECT \(StationSQL.columns), s.id, s.source_id, s.is_shared FROM station s
        WHERE $1 IS NULL OR s.described_by = $1
            OR EXISTS (SELECT 1 FROM coverage c WHERE c.station_id = s.id AND c.source_id = $1)
        ORDER BY \(selection.inRows ? "s.position" : "s.described_by IS NULL, s.described_by, s.ordinal, s.id")
        """
    }
}

extension SQLConnection {
    /// Returns the attributes of `<tv>` of a source.
    fileprivate func header(of source: Int64?) throws -> [ContentAttribute] {
        guard let source else { return [] }
        return try first("SELECT header FROM source_state WHERE source_id = $1", [.integer(source)]) {
            try $0.attributes(0)
        } ?? []
    }
}
