import EPGJSON
import EPGModel
import EPGRender

/// `/api/v1/sources`: where the guide comes from, and how the last refresh and the last import of each source went.
///
/// Addresses aren't told, since keys stand in many of them, nor are the words of a failure, since addresses stand in those.
struct SourcesEndpoint: Endpoint {
    static let path = "/api/v1/sources"

    /// What is told of a source.
    private struct Entry: JSONValue {
        let summary: SourceSummary
        /// `nil` where the service doesn't refresh it.
        let nextRefresh: Instant?

        func write(to json: inout JSONWriter) {
            json.object { json in
                json.member("name", summary.source.name)
                json.member("timeZone", summary.source.timeZone)
                json.member("interval", summary.source.interval)
                json.member("priority", summary.source.priority)
                json.member("stations", summary.stations)
                json.member("airings", summary.airings)
                json.member("end", summary.end)
                json.member("lastAttempt", summary.state.lastAttempt)
                json.member("lastSuccess", summary.state.lastSuccess)
                json.member("failed", summary.state.lastError == nil ? nil : true)
                json.member("nextRefresh", nextRefresh)
                summary.state.writeEnding(to: &json)
                json.member("lastImport", summary.lastImport)
            }
        }
    }

    init(_ request: inout RequestReader) throws(Problem) {}

    /// What became of an attempt to refresh a source is told without a new generation.
    var freshness: Freshness { .never }

    func answer(_ guide: GuideView) throws -> Document {
        let entries = try guide.guide.sources().map {
            Entry(summary: $0, nextRefresh: guide.nextRefresh?($0))
        }
        return Document { json in
            json.object { json in
                json.member("generation", guide.generation.rawValue)
                json.member("sources", entries)
            }
        }
    }
}
