/// A choice of the members of objects in a list, by their names in JSON.
package protocol MemberSelection: OptionSet, Hashable, Sendable, CustomStringConvertible where RawValue == UInt32 {
    /// All members with their names.
    static var names: [(name: String, member: Self)] { get }
    /// The members of a list by default.
    static var standard: Self { get }
}

extension MemberSelection {
    /// Parses names that are separated by commas, in any order; `nil` if one is unknown.
    package init?(names text: String) {
        self = []
        for name in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let member = Self.names.first(where: { $0.name == name })?.member else { return nil }
            formUnion(member)
        }
    }

    /// The names of the chosen members, sorted and separated by commas, which is the same text for the same members.
    package var description: String {
        Self.names.filter { isSuperset(of: $0.member) }.map(\.name).sorted().joined(separator: ",")
    }

    /// The names of all members, sorted, for an error message.
    package static var allNames: String { names.map(\.name).sorted().joined(separator: ", ") }
}

/// The members of an airing in a list.
package struct AiringMembers: MemberSelection {
    package let rawValue: UInt32

    /// The members whose bits are set.
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
    /// In lists of airings of several stations.
    package static let stationName = AiringMembers(rawValue: 1 << 13)
    /// In searches, as ``highlights``.
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

    package static let standard = AiringMembers(rawValue: (1 << 16) - 1)
    /// The members for which all of a programme has to be read.
    package static let ofProgramme: AiringMembers = [.series, .images, .ratings, .minimumAge, .links, .catchup]
    /// The members that depend on the current time and on the channels of all lineups.
    package static let ofChannels: AiringMembers = [.links, .catchup]

    package static let names: [(name: String, member: AiringMembers)] = [
        ("id", .id), ("station", .station), ("start", .start), ("stop", .stop), ("title", .title),
        ("subtitle", .subtitle), ("description", .description), ("categories", .categories), ("episode", .episode),
        ("inferredStop", .inferredStop), ("clump", .clump), ("published", .published), ("cut", .cut),
        ("stationName", .stationName), ("row", .row),
        ("highlights", .highlights), ("series", .series), ("images", .images), ("ratings", .ratings),
        ("minimumAge", .minimumAge), ("links", .links), ("catchup", .catchup), ("genre", .genre), ("marks", .marks),
    ]
}

/// The members of a station in a list.
package struct StationMembers: MemberSelection {
    package let rawValue: UInt32

    /// The members whose bits are set.
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
