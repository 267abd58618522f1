package import EPGJSON
package import EPGModel

extension StationChanges: JSONObject {
    /// `{"row", "id", "whole", "airings": [{"id", "kind", "before", "after"}]}`; `airings` is left out if any airing may have
    /// changed.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("row", row)
        json.member("id", station)
        switch extent {
        case .whole: json.member("whole", true)
        case .airings(let airings):
            json.member("whole", false)
            json.member("airings", airings)
        }
    }
}

extension AiringChange: JSONObject {
    /// `{"id", "kind", "before": {"start", "end"}, "after": {"start", "end"}}`; a window that does not exist is left out.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("id", id)
        json.member("kind", kind.rawValue)
        json.member("before", before)
        json.member("after", after)
    }
}
