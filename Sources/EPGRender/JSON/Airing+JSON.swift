package import EPGJSON
package import EPGModel

extension AiringID: JSONValue {
    /// The number.
    package func write(to json: inout JSONWriter) { rawValue.write(to: &json) }
}

extension StationID: JSONValue {
    /// The identifier as a string.
    package func write(to json: inout JSONWriter) { rawValue.write(to: &json) }
}

extension Airing: JSONObject {
    /// `{"id", "station", "start", "stop", "title", "subtitle", "description", "categories", "episode", "inferredStop",
    /// "clump", "published", "continuation", "cut"}`; omits unknown members, and `continuation` and `cut` unless they are true.
    package func writeMembers(to json: inout JSONWriter) { writeMembers(.standard, to: &json) }

    /// Writes the selected members.
    package func writeMembers(_ members: AiringMembers, to json: inout JSONWriter) {
        if members.contains(.id) { json.member("id", id) }
        if members.contains(.station) { json.member("station", station) }
        if members.contains(.start) { json.member("start", window.start) }
        if members.contains(.stop) { json.member("stop", window.end) }
        if members.contains(.title) { json.member("title", title) }
        if members.contains(.subtitle) { json.member("subtitle", subtitle) }
        if members.contains(.description) { json.member("description", description) }
        if members.contains(.categories) { json.member("categories", list: categories) }
        if members.contains(.episode) { json.member("episode", episode) }
        if members.contains(.inferredStop) { json.member("inferredStop", isStopInferred) }
        if members.contains(.clump) { json.member("clump", clump) }
        if members.contains(.published) { json.member("published", published) }
        if members.contains(.continuation) { json.member("continuation", isContinuation ? true : nil) }
        if members.contains(.cut) { json.member("cut", isCut ? true : nil) }
    }
}

extension Clump: JSONObject {
    /// The index is 0-based, as in the feed.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("index", index)
        json.member("count", count)
    }
}

extension PublishedTimes: JSONObject {
    package func writeMembers(to json: inout JSONWriter) {
        json.member("start", start)
        json.member("stop", stop)
    }
}

extension SearchMatch: JSONObject {
    /// The members of the airing and `stationName`; in a ranked search also `row` and `highlights`.
    package func writeMembers(to json: inout JSONWriter) {
        airing.writeMembers(to: &json)
        writeMembers(.standard, to: &json)
    }

    /// Writes the selected members except the members of the airing itself.
    func writeMembers(_ members: AiringMembers, to json: inout JSONWriter) {
        if members.contains(.stationName) { json.member("stationName", stationName) }
        guard let highlights else { return }
        if members.contains(.row) { json.member("row", row) }
        guard members.contains(.highlights) else { return }
        json.member(
            "highlights",
            Field.allCases.compactMap { field in
                highlights[field].map { HighlightJSON(field: field, ranges: $0, text: text(of: field)) }
            })
    }

    private func text(of field: Field) -> String {
        switch field {
        case .title: airing.title
        case .subtitle: airing.subtitle ?? ""
        case .description: airing.description ?? ""
        }
    }
}

/// The ranges of the search terms in a text.
private struct HighlightJSON: JSONObject {
    let field: SearchMatch.Field
    let ranges: [Range<Int>]
    let text: String

    /// `{"field", "ranges": [[first, end], …]}`, in UTF-16 code units as in JavaScript, Java and C#.
    func writeMembers(to json: inout JSONWriter) {
        json.member("field", field.rawValue)
        json.member("ranges", ranges.map { [units(before: $0.lowerBound), units(before: $0.upperBound)] })
    }

    private func units(before byte: Int) -> Int {
        let bytes = text.utf8
        let index = bytes.index(bytes.startIndex, offsetBy: byte, limitedBy: bytes.endIndex) ?? bytes.endIndex
        return text.utf16.distance(from: text.startIndex, to: index)
    }
}

extension NowAndNext: JSONObject {
    /// `{"row", "station", "stationName", "now": [airings], "next": airing}`; `now` is empty in a gap, and `next` is omitted
    /// at the end of the schedule.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("row", row)
        json.member("station", station)
        json.member("stationName", stationName)
        json.member("now", now)
        json.member("next", next)
    }
}

extension RowSchedule: JSONObject {
    /// `{"row", "station", "stationName", "airings": […]}`.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("row", row)
        json.member("station", schedule.station)
        json.member("stationName", stationName)
        json.member("airings", schedule.airings)
    }
}

extension AiringDetail: JSONObject {
    /// The members of the airing, `stationName`, `source`, `shown` (omitted unless false), `transmission` (an object with
    /// the feed's attributes) and `programme`.
    package func writeMembers(to json: inout JSONWriter) {
        airing.writeMembers(to: &json)
        json.member("stationName", stationName)
        json.member("source", source)
        json.member("shown", isShown ? nil : false)
        json.member("transmission", attributes: transmission)
        json.member("programme", programme)
    }
}

extension StationChanges: JSONObject {
    /// `{"row", "id", "whole", "airings": [{"id", "kind", "before", "after"}]}`; `airings` is omitted if any airing may have
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
    /// `{"id", "kind", "before": {"start", "end"}, "after": {"start", "end"}}`; a window that does not exist is omitted.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("id", id)
        json.member("kind", kind.rawValue)
        json.member("before", before)
        json.member("after", after)
    }
}
