import EPGJSON
import EPGModel
import EPGRender

/// A copy that was made: `{"file", "generation", "stations", "airings", "programmes", "range", "bytes"}`.
struct BackupJSON: JSONObject {
    let file: String
    let check: StoreCheck

    func writeMembers(to json: inout JSONWriter) {
        json.member("file", file)
        json.member("generation", check.generation.rawValue)
        json.member("stations", check.stations)
        json.member("airings", check.airings)
        json.member("programmes", check.programmes)
        json.member("range", check.range)
        json.member("bytes", check.bytes)
    }
}
