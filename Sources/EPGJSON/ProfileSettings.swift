package import EPGModel

/// The settings of pages in the document of a ``Profile``.
///
/// A JSON object with the members `favorites` and `hidden` (identifiers of stations), `theme`, `size`, `clock`, `language`, `dir`, `grid`,
/// `groups`, `pictures`, `fold`, `preview`, `zone`, `hour` and `hourDown` (the points of an hour in a grid). All of them are optional.
package struct ProfileSettings: Sendable {
    /// The favorite stations in the user's order.
    package let favorites: [StationID]
    /// The stations that grids leave out.
    package let hidden: [StationID]
    /// The other members in the order of ``choices``.
    private let texts: [(name: String, value: String)]
    private let hours: [(name: String, value: Double)]

    /// Maximum number of favorite stations, and of hidden ones.
    package static let maximumStationCount = 2000

    /// The values of members that have few; empty for the default.
    private static let choices: KeyValuePairs<String, Set<String>> = [
        "theme": ["", "light", "dark"], "size": ["", "small", "large", "huge"], "clock": ["", "12", "24"],
        "language": Set([""] + PageLanguage.allCases.map(\.rawValue)), "dir": ["", "ltr", "rtl"],
        "grid": ["", "vertical"],
        "groups": ["", "on"], "pictures": ["", "on"], "fold": ["", "on"],
        "preview": ["", "on", "off"],
    ]
    private static let scales = ["hour", "hourDown"]
    private static let scaleRange = 30.0...1920.0

    /// Reads the settings of a stored profile.
    ///
    /// - Throws: ``ProfileSettingsError``, ``JSONError``.
    package init(of profile: Profile) throws { try self.init(JSONNode(parsing: profile.document)) }

    /// Reads settings.
    ///
    /// - Throws: ``ProfileSettingsError`` for anything but an object with these members.
    package init(_ object: JSONNode) throws(ProfileSettingsError) {
        guard object.kind == .object else { throw ProfileSettingsError(member: nil, detail: "expected an object") }
        let known = Set(["favorites", "hidden", "zone"] + Self.choices.map(\.key) + Self.scales)
        var seen: Set<String> = []
        for (key, _) in object.members {
            guard known.contains(key) else {
                throw ProfileSettingsError(member: String(key.prefix(40)), detail: "a profile has no such setting")
            }
            guard seen.insert(key).inserted else {
                throw ProfileSettingsError(member: key, detail: "the setting occurs twice")
            }
        }
        favorites = try Self.stations("favorites", in: object)
        hidden = try Self.stations("hidden", in: object)
        var texts: [(String, String)] = []
        for (name, values) in Self.choices {
            guard let node = object[name] else { continue }
            guard let value = node.string, values.contains(value) else {
                let names = values.filter { !$0.isEmpty }.sorted().joined(separator: ", ")
                throw ProfileSettingsError(member: name, detail: "expected one of \(names), or an empty string")
            }
            texts.append((name, value))
        }
        if let node = object["zone"] {
            guard let value = node.string, value.utf8.count <= 64, value.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else {
                throw ProfileSettingsError(member: "zone", detail: "expected the name of a time zone")
            }
            texts.append(("zone", value))
        }
        self.texts = texts
        var hours: [(String, Double)] = []
        for name in Self.scales {
            guard let node = object[name] else { continue }
            guard node.kind == .number, let text = node.text, let value = Double(text), Self.scaleRange.contains(value)
            else { throw ProfileSettingsError(member: name, detail: "expected a number from 30 to 1920") }
            hours.append((name, value))
        }
        self.hours = hours
    }

    private static func stations(
        _ name: String, in object: JSONNode
    ) throws(ProfileSettingsError) -> [StationID] {
        guard let node = object[name] else { return [] }
        let elements = node.elements
        guard node.kind == .array, elements.count <= maximumStationCount else {
            throw ProfileSettingsError(
                member: name, detail: "expected an array of at most \(maximumStationCount) identifiers of stations")
        }
        var stations: [StationID] = []
        var known: Set<StationID> = []
        for element in elements {
            guard let text = element.string, !text.isEmpty, text.utf8.count <= 1000 else {
                throw ProfileSettingsError(member: name, detail: "expected strings with 1 to 1000 bytes")
            }
            if known.insert(StationID(text)).inserted { stations.append(StationID(text)) }
        }
        return stations
    }
}

extension ProfileSettings: JSONObject {
    package func writeMembers(to json: inout JSONWriter) {
        if !favorites.isEmpty { json.member("favorites", favorites.map(\.rawValue)) }
        if !hidden.isEmpty { json.member("hidden", hidden.map(\.rawValue)) }
        for (name, value) in texts { json.member(named: name, value) }
        for (name, value) in hours { json.member(named: name, value) }
    }

    /// The document in UTF-8.
    package var document: [UInt8] {
        var json = JSONWriter()
        json.write(self)
        return json.takeBytes()
    }
}

extension Profile: JSONObject {
    /// `{"name", "version", "settings", "limit": {"maximumAge", "hiddenCategories"}, "hasPIN", "acceptsRules"}`, never the hash of the
    /// PIN. Omits the maximum age if there is none.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("name", name)
        json.member("version", version)
        json.member("settings", try? ProfileSettings(of: self))
        json.member(
            "limit",
            object: { json in
                json.member("maximumAge", limit.maximumAge)
                json.member("hiddenCategories", limit.hiddenCategories)
            })
        json.member("hasPIN", pinHash != nil)
        json.member("acceptsRules", acceptsRules)
    }
}

/// Invalid settings of a profile.
package struct ProfileSettingsError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The name of the setting; `nil` for the whole.
    package let member: String?
    /// The reason, without a period.
    package let detail: String

    package var description: String { member.map { "\($0): \(detail)" } ?? detail }
}
