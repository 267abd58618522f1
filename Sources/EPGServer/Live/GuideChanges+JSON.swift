package import EPGJSON
package import EPGModel
import EPGRender

extension StationChanges: JSONValue {
    /// `{"row", "id", "whole", "airings": [{"id", "kind", "before", "after"}]}`; `airings` is left out where all may be others.
    package func write(to json: inout JSONWriter) {
        json.object { json in
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
}

extension AiringChange: JSONValue {
    /// `{"id", "kind", "before": {"start", "end"}, "after": {"start", "end"}}`; what there isn't is left out.
    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("id", id)
            json.member("kind", kind.rawValue)
            json.member("before", before)
            json.member("after", after)
        }
    }
}
