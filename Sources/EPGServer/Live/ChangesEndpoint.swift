import EPGModel
import EPGRender

/// `/api/v1/changes`: what a reader who knows the guide at one generation has to read again.
struct ChangesEndpoint: Endpoint {
    static let path = "/api/v1/changes"

    /// The most airings that are told one by one; the stations behind them are told as a whole.
    static let greatestCount = 10_000

    private let since: Generation

    init(_ request: inout RequestReader) throws(Problem) {
        let number = try request.integer("since", default: -1, in: 0...Int.max)
        guard number >= 0 else { throw .badParameter("since", "give the generation that you know, such as since=42.") }
        since = Generation(Int64(number))
    }

    func answer(_ guide: GuideView) throws -> Document {
        let changes = try guide.guide.changes(since: since)
        return Document { json in
            json.object { json in
                json.member("since", since.rawValue)
                json.member("generation", guide.generation.rawValue)
                json.member("complete", changes != nil)
                guard let changes else { return }
                json.member("stationsChanged", changes.changesStations)
                json.member("stations", ChangesEndpoint.told(changes.stations))
            }
        }
    }

    private static func told(_ stations: [StationChanges]) -> [StationChanges] {
        var count = 0
        return stations.map { station in
            guard case .airings(let airings) = station.extent else { return station }
            count += airings.count
            guard count > greatestCount else { return station }
            return StationChanges(row: station.row, station: station.station, extent: .whole)
        }
    }
}
