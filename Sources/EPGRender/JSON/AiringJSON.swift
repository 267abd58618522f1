package import EPGJSON
package import EPGModel
package import EPGOutput

extension AiringID: JSONValue {
    /// The number.
    package func write(to json: inout JSONWriter) { rawValue.write(to: &json) }
}

extension StationID: JSONValue {
    /// The identifier as a string.
    package func write(to json: inout JSONWriter) { rawValue.write(to: &json) }
}

extension Airing: JSONObject {
    /// `{"id", "station", "start", "stop", "title", "subtitle", "description", "categories", "episode", "episodeSource", "inferredStop",
    /// "clump", "published", "continuation", "cut"}`; omits unknown members, and `continuation` and `cut` unless they are true.
    package func writeMembers(to json: inout JSONWriter) { writeMembers(.standard, to: &json) }

    /// Writes the selected members.
    fileprivate func writeMembers(_ members: AiringMembers, to json: inout JSONWriter) {
        if members.contains(.id) { json.member("id", id) }
        if members.contains(.station) { json.member("station", station) }
        if members.contains(.start) { json.member("start", window.start) }
        if members.contains(.stop) { json.member("stop", window.end) }
        if members.contains(.title) { json.member("title", title) }
        if members.contains(.subtitle) { json.member("subtitle", subtitle) }
        if members.contains(.description) { json.member("description", description) }
        if members.contains(.categories) { json.member("categories", list: categories) }
        if members.contains(.episode) {
            json.member("episode", episode)
            json.member("episodeSource", episodeSource?.rawValue)
        }
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
    fileprivate func writeMembers(_ members: AiringMembers, to json: inout JSONWriter) {
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
    /// the feed's attributes), `derivedEpisode` (omitted if the feed has a number) and `programme`.
    package func writeMembers(to json: inout JSONWriter) {
        airing.writeMembers(to: &json)
        json.member("stationName", stationName)
        json.member("source", source)
        json.member("shown", isShown ? nil : false)
        json.member("transmission", attributes: transmission)
        json.member("derivedEpisode", programme.derivedEpisode)
        json.member("programme", programme)
    }
}

extension DerivedEpisode: JSONObject {
    /// `{"season", "episode", "last", "total", "source"}`; omits unknown members. `source` is `title`, `subtitle` or `description`.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("season", position.season.number)
        json.member("episode", position.episode.number)
        json.member("last", last)
        json.member("total", position.episode.total)
        json.member("source", field.rawValue)
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

// MARK: - Selected members

/// The members of an airing in a list.
package struct AiringMembers: MemberSelection {
    package let rawValue: UInt32

    /// Creates a set from its bits.
    package init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    package static let id = AiringMembers(rawValue: 1 << 0)
    package static let station = AiringMembers(rawValue: 1 << 1)
    package static let start = AiringMembers(rawValue: 1 << 2)
    package static let stop = AiringMembers(rawValue: 1 << 3)
    package static let title = AiringMembers(rawValue: 1 << 4)
    package static let subtitle = AiringMembers(rawValue: 1 << 5)
    package static let description = AiringMembers(rawValue: 1 << 6)
    package static let categories = AiringMembers(rawValue: 1 << 7)
    package static let episode = AiringMembers(rawValue: 1 << 8)
    package static let inferredStop = AiringMembers(rawValue: 1 << 9)
    package static let clump = AiringMembers(rawValue: 1 << 10)
    package static let published = AiringMembers(rawValue: 1 << 11)
    package static let cut = AiringMembers(rawValue: 1 << 12)
    /// Only in lists of airings of several stations.
    package static let stationName = AiringMembers(rawValue: 1 << 13)
    /// Only in searches, like ``highlights``.
    package static let row = AiringMembers(rawValue: 1 << 14)
    package static let highlights = AiringMembers(rawValue: 1 << 15)
    /// See ``EPGModel/SeriesID``.
    package static let series = AiringMembers(rawValue: 1 << 16)
    /// See ``Picture``.
    package static let images = AiringMembers(rawValue: 1 << 17)
    package static let ratings = AiringMembers(rawValue: 1 << 18)
    /// See ``EPGModel/Programme/minimumAge``.
    package static let minimumAge = AiringMembers(rawValue: 1 << 19)
    /// See ``AiringLink``.
    package static let links = AiringMembers(rawValue: 1 << 20)
    /// See ``CatchupTemplate``.
    package static let catchup = AiringMembers(rawValue: 1 << 21)
    package static let genre = AiringMembers(rawValue: 1 << 22)
    package static let marks = AiringMembers(rawValue: 1 << 23)
    /// See ``EPGModel/Airing/isContinuation``.
    package static let continuation = AiringMembers(rawValue: 1 << 24)
    /// See ``ArtworkLinks/poster(of:in:)``.
    package static let poster = AiringMembers(rawValue: 1 << 25)

    package static let standard = AiringMembers(rawValue: (1 << 16) - 1).union(.continuation)
    /// The members that require reading the whole programme.
    package static let ofProgramme: AiringMembers = [
        .series, .images, .ratings, .minimumAge, .links, .catchup, .poster,
    ]
    /// The members that depend on the current time and the channels of all lineups.
    package static let ofChannels: AiringMembers = [.links, .catchup]

    package static let names: [(name: String, member: AiringMembers)] = [
        ("id", .id), ("station", .station), ("start", .start), ("stop", .stop), ("title", .title),
        ("subtitle", .subtitle), ("description", .description), ("categories", .categories), ("episode", .episode),
        ("inferredStop", .inferredStop), ("clump", .clump), ("published", .published),
        ("continuation", .continuation), ("cut", .cut),
        ("stationName", .stationName), ("row", .row),
        ("highlights", .highlights), ("series", .series), ("images", .images), ("ratings", .ratings),
        ("minimumAge", .minimumAge), ("links", .links), ("catchup", .catchup), ("genre", .genre), ("marks", .marks),
        ("poster", .poster),
    ]
}

/// An airing of a list with the members that a request selects.
package struct SelectedAiring: Sendable {
    package let airing: Airing
    private let members: AiringMembers
    /// The full airing; `nil` if no selected member requires it.
    private let detail: AiringDetail?
    /// `nil` without links.
    private let links: LinkContext?
    private let genre: Genre?
    private let poster: String?

    /// - Parameters:
    ///   - airing: The airing, with texts in the language of the request.
    ///   - genre: The genre by the feed's categories, independent of the language of the request; `nil` for none.
    ///   - detail: Required for ``AiringMembers/ofProgramme``.
    ///   - links: Required for ``AiringMembers/ofChannels``.
    ///   - poster: The URL of the programme's picture; `nil` for none.
    package init(
        _ airing: Airing, members: AiringMembers = .standard, genre: Genre? = nil, detail: AiringDetail? = nil,
        links: LinkContext? = nil, poster: String? = nil
    ) {
        self.airing = airing
        self.members = members
        self.genre = genre
        self.detail = detail
        self.links = links
        self.poster = poster
    }

    fileprivate func writeMembers(beside match: SearchMatch?, to json: inout JSONWriter) {
        airing.writeMembers(members, to: &json)
        match?.writeMembers(members, to: &json)
        writeMembersOnDemand(to: &json)
    }

    private func writeMembersOnDemand(to json: inout JSONWriter) {
        if members.contains(.genre) { json.member("genre", genre?.rawValue) }
        if members.contains(.marks) { json.member("marks", list: airing.marks.names) }
        guard let detail else { return }
        if members.contains(.ratings) {
            json.member("ratings", list: detail.programme.withHTTPURLsOnly.ratings)
        }
        detail.writeMembersOnDemand(members, links, to: &json)
        if members.contains(.poster) { json.member("poster", poster) }
    }
}

extension SelectedAiring: JSONObject {
    /// The selected members in the order of ``AiringMembers``, then those on demand; omits unknown
    /// members.
    package func writeMembers(to json: inout JSONWriter) { writeMembers(beside: nil, to: &json) }
}

/// A match or a showing with the members that a request selects.
package struct SelectedMatch: JSONObject {
    private let match: SearchMatch
    private let airing: SelectedAiring

    /// - Parameter match: The match. The texts of the airing replace its texts.
    package init(_ match: SearchMatch, _ airing: SelectedAiring) {
        self.match = match.localized(airing.airing)
        self.airing = airing
    }

    /// The members of the airing and `stationName`, in a ranked search also `row` and `highlights`, then those on demand.
    package func writeMembers(to json: inout JSONWriter) { airing.writeMembers(beside: match, to: &json) }
}

extension AiringDetail {
    /// Writes the selected ones of `series`, `images`, `minimumAge`, `links` and `catchup`; omits unknown members.
    ///
    /// - Parameter context: `nil` to omit links and catch-up.
    package func writeMembersOnDemand(_ members: AiringMembers, _ context: LinkContext?, to json: inout JSONWriter) {
        if members.contains(.series) { json.member("series", programme.series?.rawValue) }
        if members.contains(.images) { json.member("images", list: Picture.pictures(of: programme)) }
        if members.contains(.minimumAge) { json.member("minimumAge", programme.minimumAge) }
        guard let context else { return }
        if members.contains(.links) { json.member("links", list: context.links(of: self)) }
        if members.contains(.catchup) { json.member("catchup", list: context.catchup(of: self)) }
    }
}

extension AiringMarks {
    /// The names of the set marks: `new`, `premiere`, `live`, `repeat`, `derived`.
    fileprivate var names: [String] {
        let names: [(AiringMarks, String)] = [
            (.new, "new"), (.premiere, "premiere"), (.live, "live"), (.repeated, "repeat"),
            (.derived, "derived"),
        ]
        return names.filter { contains($0.0) }.map(\.1)
    }
}

// MARK: - Links

extension AiringLink: JSONObject {
    /// `{"type", "url", "source"}`; omits an unknown source.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("type", kind.rawValue)
        json.member("url", url)
        json.member("source", source)
    }
}

extension CatchupLink: JSONObject {
    /// `{"lineup", "channel", "url"}`
    package func writeMembers(to json: inout JSONWriter) {
        json.member("lineup", lineup)
        json.member("channel", channel)
        json.member("url", url.text)
    }
}
