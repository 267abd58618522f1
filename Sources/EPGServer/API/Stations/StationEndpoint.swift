import EPGJSON
import EPGModel
import EPGRender

/// `/api/v1/stations/{id}`: a station with everything that is known of it.
struct StationEndpoint: Endpoint {
    static let path = "/api/v1/stations/{id}"

    private let id: StationID

    init(_ request: inout RequestReader) throws(Problem) {
        id = StationID(request.capture("id"))
    }

    func answer(_ guide: GuideView) throws -> Document {
        let station = try guide.guide.knownStation(id).withHTTPAddressesOnly
        return Document { json in
            json.object { json in
                json.member("generation", guide.generation.rawValue)
                json.member("station", station)
            }
        }
    }
}

extension GuideReading {
    /// The station of an identifier.
    ///
    /// - Throws: ``Problem`` with status 404 where there is none.
    func knownStation(_ id: StationID) throws -> StationRow {
        guard let station = try station(id) else {
            throw Problem.notFound(
                "There is no station “\(id.rawValue.prefix(100))”; /api/v1/stations?q=… finds one by a part of its name."
            )
        }
        return station
    }
}
