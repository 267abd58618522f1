package import EPGJSON
import EPGModel
import EPGRender

extension StoreCheck: JSONObject {
    /// `{"sound", "problems", "generation", "stations", "airings", "programmes", "range", "searchComplete", "searchDamage",
    /// "bytes"}`; an empty guide has no range.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("sound", isSound)
        json.member("problems", problems)
        json.member("generation", generation.rawValue)
        json.member("stations", stations)
        json.member("airings", airings)
        json.member("programmes", programmes)
        json.member("range", range)
        json.member("searchComplete", isSearchComplete)
        json.member("searchDamage", searchDamage)
        json.member("bytes", bytes)
    }
}
