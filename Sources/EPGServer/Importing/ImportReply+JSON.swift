package import EPGJSON
import EPGModel
import EPGRender

extension ImportReply: JSONObject {
    /// As `epg import --json` has it: `{"file", "source", "outcome"}` of a guide, `{"file", "lineup", "channels",
    /// "matched": {RULE: n}, "unmatched", "changedGuide"}` of a playlist.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("file", "request body")
        switch self {
        case .guide(let outcome, let source):
            json.member("source", source)
            json.member("outcome", outcome)
        case .lineup(let outcome, let name):
            json.member("lineup", name)
            json.member("channels", outcome.channels)
            json.member(
                "matched",
                object: { json in
                    for rule in ChannelMatchRule.allCases {
                        if let count = outcome.matched[rule] { json.member(named: rule.rawValue, count) }
                    }
                })
            json.member("unmatched", outcome.unmatched)
            json.member("changedGuide", outcome.changedGuide)
        }
    }
}
