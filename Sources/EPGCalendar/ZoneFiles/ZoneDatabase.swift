import EPGFiles
import EPGModel
import Synchronization

/// The folders of the system's IANA time zone database, with one file per zone.
public struct ZoneDatabase: Hashable, Sendable {
    /// The folders, in search order.
    public let folders: [String]

    /// Creates a database.
    ///
    /// - Parameter folders: The folders, in search order. The initializer does not access them.
    public init(folders: [String]) {
        self.folders = folders
    }

    /// The folder in `TZDIR`, if set, followed by the standard folders.
    public static var system: ZoneDatabase {
        let standardFolders = ["/usr/share/zoneinfo", "/usr/lib/zoneinfo", "/usr/share/lib/zoneinfo", "/etc/zoneinfo"]
        guard let folder = Environment["TZDIR"], !folder.isEmpty else {
            return ZoneDatabase(folders: standardFolders)
        }
        return ZoneDatabase(folders: [folder] + standardFolders)
    }

    /// Reads a zone.
    ///
    /// - Parameter name: An IANA name with the database's capitalization. `UTC`, `Etc/UTC`, and `Z` do not need the
    ///   database.
    /// - Throws: ``ZoneError``, with up to three similar names for an unknown one, or places with this abbreviation.
    public func zone(named name: String) throws(ZoneError) -> Zone {
        if let zone = try zoneIfPresent(named: name) { return zone }
        if let hours = ZoneDatabase.offset(in: name) { throw .offset(name, hours: hours) }
        let names = self.names()
        let suggestions = ZoneDatabase.places[name.uppercased()] ?? ZoneDatabase.similar(name, among: names)
        guard ZoneDatabase.isZoneName(name) || !suggestions.isEmpty else { throw .invalidName(name) }
        if names.isEmpty { throw .noDatabase(name: name, folders: folders) }
        throw .unknownName(name, suggestions: suggestions)
    }

    private static func similar(_ name: String, among names: [String]) -> [String] {
        // Users write a space for the database's `_`.
        let name = name.replacing(" ", with: "_")
        // Two edits turn any three letters into some zone.
        if name.count < 4 { return Array(names.filter { $0.lowercased().contains(name.lowercased()) }.prefix(3)) }
        return NearestNames(to: name).nearest(3, among: names) { [$0] }
    }

    /// Zones for abbreviations that are no names of the database. An abbreviation of several zones has the most populous ones.
    private static let places: [String: [String]] = [
        "BST": ["Europe/London"], "WEST": ["Europe/Lisbon"], "CEST": ["Europe/Berlin"], "MEZ": ["Europe/Berlin"],
        "MESZ": ["Europe/Berlin"], "EEST": ["Europe/Athens"], "MSK": ["Europe/Moscow"],
        "IST": ["Asia/Kolkata", "Europe/Dublin", "Asia/Jerusalem"], "IDT": ["Asia/Jerusalem"],
        "SAST": ["Africa/Johannesburg"], "PKT": ["Asia/Karachi"], "WIB": ["Asia/Jakarta"], "SGT": ["Asia/Singapore"],
        "HKT": ["Asia/Hong_Kong"], "JST": ["Asia/Tokyo"], "KST": ["Asia/Seoul"], "AWST": ["Australia/Perth"],
        "ACST": ["Australia/Adelaide"], "ACDT": ["Australia/Adelaide"],
        "AEST": ["Australia/Sydney", "Australia/Brisbane"],
        "AEDT": ["Australia/Sydney"], "NZST": ["Pacific/Auckland"], "NZDT": ["Pacific/Auckland"],
        "BRT": ["America/Sao_Paulo"], "ART": ["America/Argentina/Buenos_Aires"], "AST": ["America/Halifax"],
        "ADT": ["America/Halifax"], "NST": ["America/St_Johns"], "ET": ["America/New_York"],
        "EDT": ["America/New_York"],
        "CST": ["America/Chicago", "Asia/Shanghai"], "CDT": ["America/Chicago"], "MDT": ["America/Denver"],
        "PST": ["America/Los_Angeles"], "PDT": ["America/Los_Angeles"], "AKST": ["America/Anchorage"],
    ]

    /// Returns the hours east of UTC in a text such as `GMT+2`, `UTC-05:00` or `+0100`, with minutes as a fraction; `nil` for
    /// another text.
    private static func offset(in text: String) -> Double? {
        guard let match = text.wholeMatch(of: /(?i:GMT|UTC)?([+-])([0-9]{1,2})(?::?([0-9]{2}))?/) else { return nil }
        let hours = Double(match.2).map { $0 + (match.3.flatMap { Double($0) } ?? 0) / 60 }
        return hours.map { match.1 == "-" ? -$0 : $0 }
    }

    /// Reads a zone; returns `nil` if the database does not contain it.
    package func zoneIfPresent(named name: String) throws(ZoneError) -> Zone? {
        if ["UTC", "Etc/UTC", "Z"].contains(name) { return .utc }
        guard ZoneDatabase.isZoneName(name) else { return nil }
        for folder in folders {
            if let zone = try ZoneDatabase.zone(named: name, path: folder + "/" + name) { return zone }
        }
        return nil
    }

    /// Reads the zone in a file; returns `nil` if the file does not exist.
    static func zone(named name: String, path: String) throws(ZoneError) -> Zone? {
        let bytes: [UInt8]?
        do throws(SystemFault) {
            bytes = try OpenFile.bytes(ofFile: path, upTo: ZoneFileReader.maximumSize + 1)
        } catch {
            throw .unreadable(name: name, path: path, errorNumber: error.number)
        }
        guard let bytes else { return nil }
        do throws(ZoneFileFlaw) {
            return Zone(name: name, content: try ZoneFileReader.content(of: bytes))
        } catch {
            throw .damaged(name: name, path: path, flaw: error)
        }
    }

    /// Returns whether a text is a valid zone name: parts of letters, digits, `_`, `+` and `-`, separated by `/`.
    ///
    /// This keeps names inside the database's folder: absolute paths, `.`, `..`, and the folder's tables, whose names
    /// contain a period, are invalid.
    static func isZoneName(_ text: String) -> Bool {
        guard (1...100).contains(text.utf8.count) else { return false }
        return text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).allSatisfy { part in
            !part.isEmpty && part.first != UInt8(ascii: "-")
                && part.allSatisfy { byte in
                    byte.isLetter || byte.isDigit || "_+-".utf8.contains(byte)
                }
        }
    }

    /// Returns the names of all zones, in the order of the database's tables; empty if there is no table.
    ///
    /// Reads `tzdata.zi`, or `zone1970.tab` or `zone.tab`, which have no links from old names.
    ///
    /// - Complexity: O(*n*) in the size of the table, about 100,000 bytes.
    public func names() -> [String] {
        for folder in folders {
            for (table, column) in [("tzdata.zi", nil), ("zone1970.tab", 2), ("zone.tab", 2)] as [(String, Int?)] {
                guard let bytes = ZoneDatabase.bytes(ofFile: folder + "/" + table, upTo: 1 << 20) else { continue }
                let names = bytes.split(separator: UInt8(ascii: "\n")).compactMap { line -> String? in
                    let name = column.map { ZoneDatabase.field($0, ofRow: line) } ?? ZoneDatabase.name(inLine: line)
                    return name.flatMap { ZoneDatabase.isZoneName($0) ? $0 : nil }
                }
                if !names.isEmpty { return names }
            }
        }
        return []
    }

    /// Reads a file; returns `nil` if it cannot be read, because the caller tries others.
    fileprivate static func bytes(ofFile path: String, upTo limit: Int) -> [UInt8]? {
        do throws(SystemFault) {
            return try OpenFile.bytes(ofFile: path, upTo: limit)
        } catch {
            return nil
        }
    }

    /// Returns the name in a line `Z name ...` or `L target name` of `tzdata.zi`.
    private static func name(inLine line: ArraySlice<UInt8>) -> String? {
        let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 3)
        switch fields.first?.first {
        case UInt8(ascii: "Z") where fields.count > 1: return String(decoding: fields[1], as: UTF8.self)
        case UInt8(ascii: "L") where fields.count > 2: return String(decoding: fields[2], as: UTF8.self)
        default: return nil
        }
    }

    /// Returns a tab-separated field of a row; `nil` for comments.
    private static func field(_ column: Int, ofRow row: ArraySlice<UInt8>) -> String? {
        let fields = row.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
        guard row.first != UInt8(ascii: "#"), fields.count > column else { return nil }
        return String(decoding: fields[column], as: UTF8.self)
    }
}

extension Zone {
    /// Reads a zone from the system's database.
    ///
    /// - Parameter name: An IANA name with the database's capitalization, such as `Europe/London`; `UTC` does not need
    ///   the database.
    /// - Throws: ``ZoneError``.
    public init(named name: String) throws(ZoneError) {
        self = try ZoneDatabase.system.zone(named: name)
    }
}

/// The failure to read a zone.
public enum ZoneError: Error, Hashable, Sendable {
    /// The text is not a valid zone name.
    case invalidName(String)
    /// The zone database does not contain the name; the suggestions are the most similar names, best first.
    case unknownName(String, suggestions: [String])
    /// The text is an offset from UTC, in hours.
    case offset(String, hours: Double)
    /// None of these folders contains a zone database.
    case noDatabase(name: String, folders: [String])
    /// The zone's file cannot be read; the `errno`.
    case unreadable(name: String, path: String, errorNumber: Int32)
    /// The zone's file is invalid.
    case damaged(name: String, path: String, flaw: ZoneFileFlaw)
}

extension ZoneError: CustomStringConvertible {
    /// The error message in English: the problem, where it is, and what to do.
    public var description: String {
        switch self {
        case .invalidName(let name):
            "\(quoted: name) is not a valid time zone name; use a name such as Europe/London or UTC"
        case .unknownName(let name, let suggestions):
            "unknown time zone \(quoted: name)"
                + (suggestions.isEmpty
                    ? "; use an IANA name, such as Europe/London"
                    : "; did you mean \(suggestions.joined(separator: " or "))?")
        case .offset(let name, let hours):
            "\(quoted: name) is an offset, not a time zone; use a name such as Europe/London" + Self.fixedZone(hours)
        case .noDatabase(let name, let folders):
            "no time zone database for \(quoted: name) in \(folders.joined(separator: ", ")); "
                + "install the package tzdata, or set TZDIR to its folder"
        case .unreadable(let name, let path, let errorNumber):
            "cannot read the file \(path) of the time zone \(quoted: name) (system error \(errorNumber)); "
                + "check its permissions"
        case .damaged(let name, let path, let flaw):
            "the file \(path) of the time zone \(quoted: name) is invalid: \(flaw); "
                + (flaw == .countsLeapSeconds
                    ? "use the name without the prefix right/" : "reinstall the package tzdata")
        }
    }
}

extension ZoneError {
    /// Describes the zone with an offset. Its name has the sign of POSIX, the reverse of the usual sign.
    fileprivate static func fixedZone(_ hours: Double) -> String {
        guard let hours = Int(exactly: hours), (-12...14).contains(hours), hours != 0 else { return "" }
        return ", or Etc/GMT\(hours < 0 ? "+" : "-")\(abs(hours)), which is UTC\(hours < 0 ? "−" : "+")\(abs(hours))"
    }
}

extension DefaultStringInterpolation {
    /// Appends untrusted text in quotes: at most 64 characters, without control characters.
    mutating func appendInterpolation(quoted text: String) {
        let shown = text.unicodeScalars.prefix(64).filter { $0.properties.generalCategory != .control }
        appendLiteral("\"")
        appendInterpolation(String(String.UnicodeScalarView(shown)))
        appendLiteral(text.unicodeScalars.count > 64 ? "…\"" : "\"")
    }
}

// MARK: - Current zone

extension Zone {
    /// The default time zone of the user or machine. Falls back to UTC.
    ///
    /// This is the value of `TZ` (POSIX 8.3; glibc's manual, "TZ Variable"). If it is not set, it is the zone that
    /// `/etc/localtime` links to or contains, then the name in `/etc/timezone`, and otherwise UTC, as in the C library.
    public static var current: Zone {
        current(
            variable: Environment["TZ"], localTimePath: "/etc/localtime",
            timeZonePath: "/etc/timezone", database: .system)
    }

    static func current(
        variable: String?, localTimePath: String, timeZonePath: String, database: ZoneDatabase
    ) -> Zone {
        if let variable { return zone(ofVariable: variable, database: database) ?? .utc }

        if let target = FilePath.target(ofLink: localTimePath), let name = name(inPath: target, of: database),
            let zone = loaded(name, from: database)
        {
            return zone
        }
        let named = nameInFile(timeZonePath).flatMap { loaded($0, from: database) }
        // A copy of a zone file: its contents apply, and the other file may contain its name.
        guard let copy = loaded(path: localTimePath, name: "localtime") else { return named ?? .utc }
        if let named, named.hasSameOffsets(as: copy) { return named }
        return copy
    }

    /// Returns the zone for a value of `TZ`: `Europe/London`, `:Europe/London`, a path into the database, or a rule
    /// such as `CET-1CEST,M3.5.0,M10.5.0/3`. Empty means UTC. Returns `nil` for an invalid value.
    private static func zone(ofVariable variable: String, database: ZoneDatabase) -> Zone? {
        let hasColon = variable.hasPrefix(":")
        let text = hasColon ? String(variable.dropFirst()) : variable
        if text.isEmpty { return .utc }
        if text.hasPrefix("/") {
            if let name = name(inPath: text, of: database), let zone = loaded(name, from: database) { return zone }
            return loaded(path: text, name: text)
        }
        if let zone = loaded(text, from: database) { return zone }
        guard !hasColon, let rule = ZoneRule(posix: text) else { return nil }
        return Zone(name: text, rule: rule)
    }

    /// Returns the part of a path below the database, or below any folder `zoneinfo`.
    private static func name(inPath path: String, of database: ZoneDatabase) -> String? {
        for folder in database.folders where path.hasPrefix(folder + "/") {
            return String(path.dropFirst(folder.count + 1))
        }
        let parts = path.split(separator: "/")
        guard let folder = parts.lastIndex(of: "zoneinfo") else { return nil }
        return parts[(folder + 1)...].joined(separator: "/")
    }

    /// Returns the first word of a file.
    private static func nameInFile(_ path: String) -> String? {
        guard let bytes = ZoneDatabase.bytes(ofFile: path, upTo: 1024) else { return nil }
        let word = bytes.split { $0 <= UInt8(ascii: " ") }.first
        return word.map { String(decoding: $0, as: UTF8.self) }
    }

    /// Reads a zone; returns `nil` for any error, because the caller tries other ways.
    private static func loaded(_ name: String, from database: ZoneDatabase) -> Zone? {
        do {
            return try database.zoneIfPresent(named: name)
        } catch {
            return nil
        }
    }

    /// Reads the zone in a file; returns `nil` for any error.
    private static func loaded(path: String, name: String) -> Zone? {
        do {
            return try ZoneDatabase.zone(named: name, path: path)
        } catch {
            return nil
        }
    }
}

/// Caches zones by name, so that each file is read once.
package final class ZoneCache: Sendable {
    /// The cache of the process.
    package static let shared = ZoneCache(capacity: 64)

    private let capacity: Int
    /// `nil` for names without a zone.
    private let zones = Mutex<[String: Zone?]>([:])

    /// - Parameter capacity: The maximum number of names. A name beyond it empties the cache first.
    package init(capacity: Int) {
        self.capacity = capacity
    }

    /// Returns the zone with an IANA name; `nil` if it does not exist or its file is unreadable.
    package func zone(named name: String) -> Zone? {
        if let known = zones.withLock({ $0[name] }) { return known }
        let zone: Zone?
        do throws(ZoneError) {
            zone = try ZoneDatabase.system.zoneIfPresent(named: name)
        } catch {
            zone = nil
        }
        zones.withLock { zones in
            if zones.count >= capacity { zones.removeAll(keepingCapacity: true) }
            zones[name] = .some(zone)
        }
        return zone
    }
}
