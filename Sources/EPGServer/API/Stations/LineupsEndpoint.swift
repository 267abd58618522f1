import EPGJSON
import EPGModel
import EPGRender

/// `/api/v1/lineups`: the lineups, and how many of their channels show a station.
struct LineupsEndpoint: Endpoint {
    static let path = "/api/v1/lineups"

    /// What is told of a lineup.
    private struct Entry: JSONValue {
        let lineup: Lineup
        let matched: Int

        func write(to json: inout JSONWriter) {
            json.object { json in
                json.member("name", lineup.name)
                json.member("channels", lineup.channels.count)
                json.member("matched", matched)
                json.member("groups", groups)
            }
        }

        /// In the order in which the channels name them first.
        private var groups: [String] {
            var seen: Set<String> = []
            return lineup.channels.flatMap(\.groups).filter { seen.insert($0).inserted }
        }
    }

    init(_ request: inout RequestReader) throws(Problem) {}

    func answer(_ guide: GuideView) throws -> Document {
        let entries = try guide.guide.lineups().compactMap { name -> Entry? in
            guard let (lineup, matches) = try guide.guide.lineup(named: name) else { return nil }
            return Entry(lineup: lineup, matched: matches.count { $0 != nil })
        }
        return Document { json in
            json.object { json in
                json.member("generation", guide.generation.rawValue)
                json.member("lineups", entries)
            }
        }
    }
}
