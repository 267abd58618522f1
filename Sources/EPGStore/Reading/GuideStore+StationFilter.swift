package import EPGModel
import GRDB

extension GuideStore {
    package func stations(_ ids: [StationID]) throws -> [StationRow] {
        try read { _ in try ids.compactMap { try station($0) } }
    }

    package func stations(_ filter: StationFilter, offset: Int, limit: Int) throws -> StationPage {
        let offset = max(0, offset)
        let limit = max(0, limit)
        return try read { database in
            guard let rows = try StationSelection(database).rows(filter) else {
                let total = try stationCount()
                let start = min(offset, total)
                let page = start..<start + min(limit, total - start)
                return StationPage(total: total, stations: try stations(inRows: page))
            }
            return StationPage(
                total: rows.count, stations: try stations(inRows: rows.dropFirst(offset).prefix(limit)))
        }
    }

    package func stationRows(_ filter: StationFilter) throws -> [Int] {
        try read { database in
            try StationSelection(database).rows(filter) ?? Array(0..<stationCount())
        }
    }

    package func stationGroups() throws -> [StationGroup] {
        try read { try StationSelection($0).groups() }
    }

    private func stations(inRows rows: some Sequence<Int>) throws -> [StationRow] {
        try NeighbouringRows(rows).flatMap { try stations(inRows: $0) }
    }
}
