import EPGJSON
import EPGModel
import EPGRender

/// What `epg prune` did: `{"before", "removed"}`.
struct PruneJSON: JSONValue {
    let before: Instant
    let removed: Int

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("before", before)
            json.member("removed", removed)
        }
    }
}
