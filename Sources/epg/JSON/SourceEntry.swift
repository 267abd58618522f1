import EPGModel
import EPGRefresh
import EPGRender

/// A source with its last import, and from when on it is asked again: what `epg sources` lists.
///
/// The members of the source, `nextRefresh` where it isn't asked at every run, and `lastImport`.
struct SourceEntry: JSONValue {
    let summary: SourceSummary
    /// `nil` where nothing was imported yet.
    let lastImport: ImportSummary?

    /// From when on the source may be asked; `nil` where it is at every run, or never.
    var nextRefresh: Instant? {
        summary.source.location == nil ? nil : summary.source.nextRefresh(after: summary.state)
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            summary.writeMembers(to: &json)
            json.member("nextRefresh", nextRefresh)
            json.member("lastImport", lastImport)
        }
    }
}
