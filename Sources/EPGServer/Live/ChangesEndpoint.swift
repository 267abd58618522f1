import EPGJSON
import EPGModel
import EPGRender

/// `/api/v1/changes`: what a reader who knows the guide at one generation has to read again.
struct ChangesEndpoint: Endpoint {
    static let path = "/api/v1/changes"

    /// The most airings that are told one by one; the stations behind them are told as a whole.
    static let greatestCount = 10_000

    private let since: GenerationName

    init(_ request: inout RequestReader) throws(Problem) {
        let name = try request.value(
            "since", atMost: 40, wanted: "a generation such as 42 or 42.k3f9", GenerationName.init(_:))
        guard let name else { throw .badParameter("since", "give the generation that you know, such as since=42.") }
        since = name
    }

    func answer(_ guide: GuideView) throws -> Document {
        let standing = guide.generationName
        // What another guide or edition told can't be brought up to date by pieces.
        let isKnown = try since.key == nil || guide.name(of: since.generation) == since
        let changes = isKnown ? try guide.guide.changes(since: since.generation) : nil
        return Document { json in
            json.object { json in
                json.member("since", since.generation.rawValue)
                json.member("generation", guide.generation.rawValue)
                json.member("name", standing.description)
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
