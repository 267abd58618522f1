import EPGJSON
import EPGModel
import EPGRender

/// `/api/v1/groups`: the groups of the channels of all lineups.
struct GroupsEndpoint: Endpoint {
    static let path = "/api/v1/groups"

    init(_ request: inout RequestReader) throws(Problem) {}

    func answer(_ guide: GuideView) throws -> Document {
        let groups = try guide.guide.stationGroups()
        return Document { json in
            json.object { json in
                json.member("generation", guide.generation.rawValue)
                json.member(
                    "groups",
                    array: { json in
                        for group in groups {
                            json.object { json in
                                json.member("name", group.name)
                                json.member("stations", group.count)
                            }
                        }
                    })
            }
        }
    }
}
