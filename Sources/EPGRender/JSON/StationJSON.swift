package import EPGJSON
package import EPGModel

extension Station: JSONObject {
    /// `{"id", "name", "displayNames", "number", "icons", "urls", "extras"}`; omits unknown members.
    package func writeMembers(to json: inout JSONWriter) { writeMembers(.standard, to: &json) }

    fileprivate func writeMembers(_ members: StationMembers, to json: inout JSONWriter) {
        if members.contains(.id) { json.member("id", id) }
        if members.contains(.name) { json.member("name", name) }
        if members.contains(.displayNames) { json.member("displayNames", list: displayNames) }
        if members.contains(.number) { json.member("number", number?.description) }
        if members.contains(.icons) { json.member("icons", list: icons) }
        if members.contains(.urls) { json.member("urls", list: urls) }
        if members.contains(.extras) { json.member(extras: extras) }
    }
}

extension StationRow: JSONObject {
    /// `row` (0-based), the members of the station, and `channelNumber` (the number in a lineup).
    package func writeMembers(to json: inout JSONWriter) { writeMembers(.standard, to: &json) }

    /// Writes the selected members, including `images` (``Picture``).
    package func writeMembers(_ members: StationMembers, to json: inout JSONWriter) {
        if members.contains(.row) { json.member("row", row) }
        station.writeMembers(members, to: &json)
        if members.contains(.channelNumber) { json.member("channelNumber", channelNumber?.description) }
        if members.contains(.images) { json.member("images", list: Picture.pictures(of: station)) }
    }
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
