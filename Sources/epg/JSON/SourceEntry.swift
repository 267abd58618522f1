import EPGJSON
import EPGCalendar
import EPGModel
import EPGRefresh
import EPGRender

/// A source with its last import, and from when on it is asked again: what `epg sources` lists.
///
/// The members of the source, its location without user, password and query, `end`, `isConfigured`, `isDue`, `nextRefresh`
/// where it isn't asked at every run, `nextServiceRefresh` where epgd asks it by itself, `lastImport`, and `command`, without
/// its arguments, `service` and `schedule` as epg.yml has them.
struct SourceEntry: JSONObject {
    let summary: SourceSummary
    /// How the settings have it asked; `nil` where they don't name it.
    let order: SourceOrder?
    /// When the service asks which source by itself; `nil` where it asks none.
    let serviceTimes: ServiceTimetable?
    let now: Instant

    /// The program whose output is its guide; empty for none.
    var command: [String] { order?.configuration.command ?? [] }

    /// The service whose API gives its guide, in words; `nil` for any other source.
    var service: String? {
        guard let account = order?.configuration.schedulesDirect else { return nil }
        let address = summary.source.location.map { GuideLocation.displayable($0) } ?? ""
        let place = address == SchedulesDirectSettings.standardAddress ? "" : " at \(address)"
        let lineups = account.lineups.isEmpty ? "" : ", \(account.lineups.joined(separator: ", "))"
        return "Schedules Direct\(place)\(lineups)"
    }

    /// Whether settings set it up that name it no more.
    var isForgotten: Bool { summary.source.isConfigured && order == nil }

    /// Whether a refresh asks it.
    var isAsked: Bool { !isForgotten && (summary.source.location != nil || !command.isEmpty) }

    /// Whether an `epg refresh` that is run now asks it.
    var isDue: Bool {
        guard isAsked else { return false }
        return order?.isDue(at: now, after: summary.state) ?? summary.source.isDue(at: now, after: summary.state)
    }

    /// From when on the source may be asked; `nil` where it is at every run, or never. One that was never asked is due at
    /// once, and then by its timetable, whose next run this is.
    var nextRefresh: Instant? {
        guard isAsked else { return nil }
        if summary.state == SourceState(), let timetable = order?.timetable { return timetable.next(after: now) }
        return order.map { $0.nextRefresh(after: summary.state) } ?? summary.source.nextRefresh(after: summary.state)
    }

    /// When the service asks it next; `nil` where others refresh the guide.
    var nextServiceRefresh: Instant? {
        serviceTimes?.nextRefresh(of: summary.source, after: summary.state, now: now)
    }

    func writeMembers(to json: inout JSONWriter) {
        summary.writeMembers(to: &json, location: summary.source.location.map(GuideLocation.displayable))
        json.member("end", summary.end)
        json.member("isConfigured", summary.source.isConfigured || order != nil)
        json.member("isDue", isDue)
        json.member("nextRefresh", nextRefresh)
        json.member("nextServiceRefresh", nextServiceRefresh)
        json.member("lastImport", summary.lastImport)
        json.member("command", command.first)
        json.member("service", service)
        json.member("schedule", order?.configuration.schedule)
    }
}
