import EPGModel
import EPGRefresh
import EPGRender

/// A source with its last import, and from when on it is asked again: what `epg sources` lists.
///
/// The members of the source, `nextRefresh` where it isn't asked at every run, `lastImport`, and `command`, without its
/// arguments, and `schedule` as epg.yml has them.
struct SourceEntry: JSONValue {
    let summary: SourceSummary
    /// `nil` where nothing was imported yet.
    let lastImport: ImportSummary?
    /// How the settings have it asked; `nil` where they don't name it.
    let order: SourceOrder?

    /// The program whose output is its guide; empty for none.
    var command: [String] { order?.configuration.command ?? [] }

    /// Whether a refresh asks it.
    var isAsked: Bool { summary.source.location != nil || !command.isEmpty }

    /// From when on the source may be asked; `nil` where it is at every run, or never.
    var nextRefresh: Instant? {
        guard isAsked else { return nil }
        return order.map { $0.nextRefresh(after: summary.state) } ?? summary.source.nextRefresh(after: summary.state)
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            summary.writeMembers(to: &json)
            json.member("nextRefresh", nextRefresh)
            json.member("lastImport", lastImport)
            json.member("command", command.first)
            json.member("schedule", order?.configuration.schedule)
        }
    }
}
