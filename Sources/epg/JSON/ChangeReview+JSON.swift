import EPGJSON
import EPGModel
import EPGRender

/// The changes of a guide, with names and titles for people.
struct ChangeReview: JSONObject {
    let changes: GuideChanges
    let stations: [StationReview]

    init(_ changes: GuideChanges, in guide: some GuideReading) throws {
        self.changes = changes
        stations = try changes.stations.map { try StationReview($0, in: guide) }
    }

    /// `{"since", "generation", "from", "complete", "stationsChanged", "stations"}`: what came after the generation `since`,
    /// the first of it at `from`; it is less than was asked for where it isn't complete.
    func writeMembers(to json: inout JSONWriter) {
        json.member("since", changes.since.rawValue)
        json.member("generation", changes.generation.rawValue)
        json.member("from", changes.from)
        json.member("complete", changes.isComplete)
        json.member("stationsChanged", changes.changesStations)
        json.member("stations", stations)
    }
}

/// The changes of a station's schedule, with names and titles.
struct StationReview: JSONObject {
    let row: Int
    let station: StationID
    let name: String
    /// In order of start; `nil` where any part of the schedule may have changed.
    let airings: [AiringReview]?

    init(_ changes: StationChanges, in guide: some GuideReading) throws {
        (row, station) = (changes.row, changes.station)
        name = try guide.station(station)?.station.name ?? ""
        airings =
            switch changes.extent {
            case .whole: nil
            case .airings(let airings):
                try airings.map { AiringReview(change: $0, title: try guide.airing($0.id)?.airing.title) }
            }
    }

    /// `{"row", "id", "name", "whole", "airings"}`; `airings` is left out where all may be others.
    func writeMembers(to json: inout JSONWriter) {
        json.member("row", row)
        json.member("id", station)
        json.member("name", name)
        json.member("whole", airings == nil)
        json.member("airings", airings)
    }
}

/// The change of an airing, with its title.
struct AiringReview: JSONObject {
    let change: AiringChange
    /// The current title; `nil` for a removed airing.
    let title: String?

    /// `{"id", "kind", "before": {"start", "end"}, "after": {"start", "end"}, "title"}`; what there isn't is left out.
    func writeMembers(to json: inout JSONWriter) {
        json.member("id", change.id)
        json.member("kind", change.kind.rawValue)
        json.member("before", change.before)
        json.member("after", change.after)
        json.member("title", title)
    }
}
