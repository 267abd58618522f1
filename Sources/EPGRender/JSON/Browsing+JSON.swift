package import EPGJSON
package import EPGModel

extension CategoryCount: JSONObject {
    /// `{"name", "count", "genre"}`; the genre is left out where the name tells none.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("name", name)
        json.member("count", count)
        json.member("genre", Genre(categories: [name])?.rawValue)
    }
}

extension ImportSummary: JSONObject {
    /// `{"at", "generation", "read", "stored", "dropped", "inserted", "changed", "removed"}`
    package func writeMembers(to json: inout JSONWriter) {
        json.member("at", at)
        json.member("generation", generation.rawValue)
        json.member("read", read)
        json.member("stored", stored)
        json.member("dropped", dropped)
        json.member("inserted", inserted)
        json.member("changed", changed)
        json.member("removed", removed)
    }
}
