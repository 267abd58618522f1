package import EPGJSON
import EPGModel
import EPGRender

extension ChangeReview: JSONObject {
    /// `{"since", "generation", "from", "complete", "stationsChanged", "stations"}`: what came after the generation `since`,
    /// the first of it at `from`; it is less than was asked for where it isn't complete.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("since", since.rawValue)
        json.member("generation", generation.rawValue)
        json.member("from", from)
        json.member("complete", isComplete)
        json.member("stationsChanged", changesStations)
        json.member("stations", stations)
    }
}

extension StationReview: JSONObject {
    /// `{"row", "id", "name", "whole", "airings"}`; `airings` is left out where all may be others.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("row", row)
        json.member("id", station)
        json.member("name", name)
        json.member("whole", airings == nil)
        json.member("airings", airings)
    }
}

extension AiringReview: JSONObject {
    /// `{"id", "kind", "before": {"start", "end"}, "after": {"start", "end"}, "title"}`; what there isn't is left out.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("id", change.id)
        json.member("kind", change.kind.rawValue)
        json.member("before", change.before)
        json.member("after", change.after)
        json.member("title", title)
    }
}
