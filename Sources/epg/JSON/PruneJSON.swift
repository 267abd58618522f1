import EPGJSON
import EPGModel
import EPGRender

/// What `epg prune` did: `{"before", "removed"}`.
struct PruneJSON: JSONObject {
    let before: Instant
    let removed: Int

    func writeMembers(to json: inout JSONWriter) {
        json.member("before", before)
        json.member("removed", removed)
    }
}
