package import EPGModel

extension WatchedAiring: JSONObject {
    /// `{"id", "station": {"id", "name", "number"}, "start", "stop", "title", "subtitle", "description", "categories", "episode",
    /// "episodeId", "new", "rules"}`; omits unknown members, and `new` unless it is true.
    ///
    /// `episodeId` is the same for all airings of an episode; see ``EpisodeIdentity``. `rules` are the names of matching rules.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("id", id.rawValue)
        json.member(
            "station",
            object: { json in
                json.member("id", airing.station.rawValue)
                json.member("name", detail.stationName)
                json.member("number", channelNumber?.description)
            })
        json.member("start", airing.window.start)
        json.member("stop", airing.window.end)
        json.member("title", airing.title)
        json.member("subtitle", airing.subtitle)
        json.member("description", airing.description)
        json.member("categories", list: airing.categories)
        json.member("episode", airing.episode)
        json.member("episodeSource", airing.episodeSource?.rawValue)
        json.member("episodeId", episode?.rawValue)
        json.member("new", airing.marks.isDisjoint(with: [.new, .premiere]) ? nil : true)
        json.member("rules", rules.map(\.name))
    }
}

extension WatchRule: JSONObject {
    /// `{"name", "profile", "title", "words", "any", "without", "pattern", "category", "station", "airing", "between", "new", "once",
    /// "minutes"}`; omits conditions that are not given.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("name", name)
        json.member("profile", profile)
        json.member("title", conditions.title)
        json.member("words", conditions.words)
        json.member("any", list: conditions.anyWords)
        json.member("without", list: conditions.excludedWords)
        json.member("pattern", conditions.pattern?.text)
        json.member("category", conditions.category)
        json.member("station", conditions.station?.rawValue)
        json.member("airing", conditions.airing?.id.rawValue)
        json.member("between", conditions.times?.description)
        json.member("new", conditions.isNew ? true : nil)
        json.member("once", isOncePerEpisode ? true : nil)
        json.member("minutes", minutesBefore)
    }
}

extension WatchConflict: JSONObject {
    /// `{"start", "stop", "airings", "count"}`: the time, the identifiers of the first airings, and the number of all.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("start", window.start)
        json.member("stop", window.end)
        json.member("airings", airings.map(\.rawValue))
        json.member("count", count)
    }
}

extension Reminder: JSONObject {
    /// `{"key", "target", "state", "airing", "start", "stop", "station", "title", "failures", "changed", "notBefore", "error"}`.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("key", key)
        json.member("target", target)
        json.member("state", state.rawValue)
        json.member("airing", airing.rawValue)
        json.member("start", window.start)
        json.member("stop", window.end)
        json.member("station", station.rawValue)
        json.member("title", title)
        json.member("failures", failures)
        json.member("changed", changed)
        json.member("notBefore", notBefore)
        json.member("error", error)
    }
}
