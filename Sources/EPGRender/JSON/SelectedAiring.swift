package import EPGJSON
package import EPGModel

/// An airing of a list with the members that a request selects.
package struct SelectedAiring: Sendable {
    package let airing: Airing
    private let members: AiringMembers
    /// The full airing; `nil` if no selected member requires it.
    private let detail: AiringDetail?
    /// `nil` without links.
    private let links: LinkContext?
    private let genre: Genre?

    /// - Parameters:
    ///   - airing: The airing, with texts in the language of the request.
    ///   - genre: The genre by the feed's categories, independent of the language of the request; `nil` for none.
    ///   - detail: Required for ``AiringMembers/ofProgramme``.
    ///   - links: Required for ``AiringMembers/ofChannels``.
    package init(
        _ airing: Airing, members: AiringMembers = .standard, genre: Genre? = nil, detail: AiringDetail? = nil,
        links: LinkContext? = nil
    ) {
        self.airing = airing
        self.members = members
        self.genre = genre
        self.detail = detail
        self.links = links
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
    }
}

extension SelectedAiring: JSONObject {
    /// The selected members in the order of ``EPGModel/Airing/writeMembers(_:to:)``, then those on demand; omits unknown
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
    /// The names of the set marks: `new`, `premiere`, `live`, `derived`.
    fileprivate var names: [String] {
        let names: [(AiringMarks, String)] = [
            (.new, "new"), (.premiere, "premiere"), (.live, "live"), (.derived, "derived"),
        ]
        return names.filter { contains($0.0) }.map(\.1)
    }
}

/// A set of JSON members to write for the objects of a list.
package protocol MemberSelection: OptionSet, Hashable, Sendable, CustomStringConvertible where RawValue == UInt32 {
    /// All members with their names.
    static var names: [(name: String, member: Self)] { get }
    /// The default members of a list.
    static var standard: Self { get }
}

extension MemberSelection {
    /// Parses comma-separated names in any order; `nil` if one is unknown.
    package init?(names text: String) {
        self = []
        for name in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let member = Self.names.first(where: { $0.name == name })?.member else { return nil }
            formUnion(member)
        }
    }

    /// The names of the members, sorted and comma-separated: equal sets have equal descriptions.
    package var description: String {
        Self.names.filter { isSuperset(of: $0.member) }.map(\.name).sorted().joined(separator: ",")
    }

    /// The sorted names of all members, for error messages.
    package static var allNames: String { names.map(\.name).sorted().joined(separator: ", ") }
}

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

    package static let standard = AiringMembers(rawValue: (1 << 16) - 1).union(.continuation)
    /// The members that require reading the whole programme.
    package static let ofProgramme: AiringMembers = [.series, .images, .ratings, .minimumAge, .links, .catchup]
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
    ]
}

/// The members of a station in a list.
package struct StationMembers: MemberSelection {
    package let rawValue: UInt32

    /// Creates a set from its bits.
    package init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    package static let row = StationMembers(rawValue: 1 << 0)
    package static let id = StationMembers(rawValue: 1 << 1)
    package static let name = StationMembers(rawValue: 1 << 2)
    package static let displayNames = StationMembers(rawValue: 1 << 3)
    package static let number = StationMembers(rawValue: 1 << 4)
    package static let icons = StationMembers(rawValue: 1 << 5)
    package static let urls = StationMembers(rawValue: 1 << 6)
    package static let extras = StationMembers(rawValue: 1 << 7)
    package static let channelNumber = StationMembers(rawValue: 1 << 8)
    /// See ``Picture``.
    package static let images = StationMembers(rawValue: 1 << 9)

    package static let standard = StationMembers(rawValue: (1 << 9) - 1)

    package static let names: [(name: String, member: StationMembers)] = [
        ("row", .row), ("id", .id), ("name", .name), ("displayNames", .displayNames), ("number", .number),
        ("icons", .icons), ("urls", .urls), ("extras", .extras), ("channelNumber", .channelNumber), ("images", .images),
    ]
}
