package import EPGJSON
import EPGImport
import EPGModel
import EPGRender

extension MatchReport: JSONObject {
    /// `{"lineup", "entries", "matched", "rules", "channels"}`; `rules` are the counts by rule, and `channels` are the entries
    /// that were asked for.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("lineup", lineup)
        json.member("entries", count)
        json.member("matched", matched)
        json.member(
            "rules",
            object: { json in
                for (rule, count) in counts { json.member(named: rule.rawValue, count) }
            })
        json.member("channels", explanations)
    }
}

extension MatchExplanation: JSONObject {
    /// `{"name", "number", "guideID", "guideName", "key", "outcome", "station", "rule", "answers", "suggestions"}`; the outcome
    /// is `matched`, `ambiguous`, `missing` (the user chose a station that isn't there) or `unmatched`, and says which of the
    /// others are there.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("name", channel.name)
        json.member("number", channel.number?.description)
        json.member("guideID", channel.guideID)
        json.member("guideName", channel.guideName)
        json.member("key", key)
        switch outcome {
        case .matched(let match):
            json.member("outcome", "matched")
            json.member("station", match.station)
            json.member("rule", match.rule.rawValue)
        case .ambiguous(let rule):
            json.member("outcome", "ambiguous")
            json.member("rule", rule.rawValue)
        case .missing(let station):
            json.member("outcome", "missing")
            json.member("station", station)
            json.member("rule", ChannelMatchRule.mapping.rawValue)
        case .unmatched: json.member("outcome", "unmatched")
        }
        json.member("answers", list: verdicts.filter { $0.answer != .silent })
        json.member("suggestions", list: suggestions)
    }
}

extension MatchExplanation.Verdict: JSONObject {
    /// `{"rule", "stations", "count", "entries"}`: the stations that the rule finds (at most five of `count`), and where
    /// several entries have the number, how many.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("rule", rule.rawValue)
        switch answer {
        case .silent, .none: json.member("stations", [StationID]())
        case .one(let station): json.member("stations", [station])
        case .missing(let station):
            json.member("stations", [StationID]())
            json.member("missing", station)
        case .several(let stations, let count, let channels):
            json.member("stations", stations)
            json.member("count", count)
            json.member("entries", channels > 1 ? channels : nil)
        }
    }
}

extension MatchExplanation.Suggestion: JSONObject {
    /// `{"station", "name", "score"}`; the score from 0 to 1, in hundredths.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("station", station)
        json.member("name", name)
        json.member("score", (score * 100).rounded() / 100)
    }
}

extension MatchDecision: JSONObject {
    /// `{"key", "station", "entries"}`; no station where what was decided is forgotten.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("key", key)
        json.member("station", station?.id)
        json.member("entries", count)
    }
}
