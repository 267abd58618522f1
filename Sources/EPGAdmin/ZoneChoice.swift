import EPGCalendar
import EPGModel

/// A time zone that administrators choose by its city.
struct ZoneChoice: Hashable, Sendable {
    /// The name in the zone database, such as `Europe/London`.
    let name: String
    /// The city, the region, and the present offset from UTC: `London, Europe (UTC+01:00)`.
    let label: String

    /// Returns the zones of cities, sorted by name, and UTC.
    ///
    /// - Complexity: Reads the file of each zone that was not used before.
    static func all(at now: Instant) -> [ZoneChoice] {
        [ZoneChoice(name: "UTC", label: "UTC")]
            + cityNames.compactMap { name in
                guard let zone = try? Zone(named: name) else { return nil }
                let offset = "(UTC\(zone.offset(at: now)))"
                return ZoneChoice(name: name, label: "\(place(of: name)) \(offset)")
            }
    }

    /// Returns the name of the zone that a user means: the text itself, another capitalization of a name, a label, or a city that
    /// only one zone has.
    static func name(of text: String) -> String {
        let wanted = text.lowercased()
        let names = cityNames
        if let name = names.first(where: { $0.lowercased() == wanted }) { return name }
        let place = String(wanted.prefix { $0 != "(" }).trimmingSuffix
        let found = names.filter { name in
            let other = self.place(of: name).lowercased()
            return other == place || other.hasPrefix(place + ", ")
        }
        return found.count == 1 ? found[0] : text
    }

    /// The names of the database that name a city, which has many others: `Etc/GMT+3`, `EST5EDT`, `US/Pacific`.
    private static var cityNames: [String] {
        ZoneDatabase.system.names().filter { name in
            guard let region = name.split(separator: "/").first else { return false }
            return region.utf8.count < name.utf8.count && regions.contains(String(region))
        }.sorted()
    }

    private static let regions: Set<String> = [
        "Africa", "America", "Antarctica", "Arctic", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific",
    ]

    /// Returns the city and the region of a name: `Louisville, Kentucky, America`.
    private static func place(of name: String) -> String {
        name.split(separator: "/").reversed().map { $0.replacing("_", with: " ") }.joined(separator: ", ")
    }
}

extension String {
    /// The text without blanks at its end.
    fileprivate var trimmingSuffix: String {
        var rest = self[...]
        while rest.last == " " { rest.removeLast() }
        return String(rest)
    }
}
