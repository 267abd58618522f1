/// The folders in which a system keeps the zones of the IANA time zone database, one file for each.
public struct ZoneDatabase: Hashable, Sendable {
    /// Searched in this order.
    public let folders: [String]

    public init(folders: [String]) {
        self.folders = folders
    }

    /// The folder that `TZDIR` names, where it is set, then the usual ones.
    public static var system: ZoneDatabase {
        let usual = ["/usr/share/zoneinfo", "/usr/lib/zoneinfo", "/usr/share/lib/zoneinfo", "/etc/zoneinfo"]
        guard let folder = SystemFile.environmentVariable("TZDIR"), !folder.isEmpty else {
            return ZoneDatabase(folders: usual)
        }
        return ZoneDatabase(folders: [folder] + usual)
    }

    /// Reads a zone.
    ///
    /// - Parameter name: An IANA name, in the case that the database has it. `UTC`, `Etc/UTC` and `Z` need no database.
    public func zone(named name: String) throws(ZoneError) -> Zone {
        if let zone = try zoneIfPresent(named: name) { return zone }
        let names = self.names()
        let suggestions = NearestNames.suggestions(for: name, among: names)
        guard ZoneDatabase.isZoneName(name) || !suggestions.isEmpty else { throw .invalidName(name) }
        if names.isEmpty { throw .noDatabase(name: name, folders: folders) }
        throw .unknownName(name, suggestions: suggestions)
    }

    /// Reads a zone, or gives `nil` where there is none of that name.
    package func zoneIfPresent(named name: String) throws(ZoneError) -> Zone? {
        if ["UTC", "Etc/UTC", "Z"].contains(name) { return .utc }
        guard ZoneDatabase.isZoneName(name) else { return nil }
        for folder in folders {
            if let zone = try ZoneDatabase.zone(named: name, path: folder + "/" + name) { return zone }
        }
        return nil
    }

    /// Reads the zone that a file holds, or gives `nil` where there is no such file.
    static func zone(named name: String, path: String) throws(ZoneError) -> Zone? {
        switch SystemFile.content(ofFile: path, limit: ZoneFileReader.maximumSize + 1) {
        case .missing: return nil
        case .failed(let errorNumber): throw .unreadable(name: name, path: path, errorNumber: errorNumber)
        case .bytes(let bytes):
            do {
                return Zone(name: name, content: try ZoneFileReader.content(of: bytes))
            } catch {
                throw .damaged(name: name, path: path, flaw: error)
            }
        }
    }

    /// Whether a text can be a zone's name: parts of letters, digits, `_`, `+` and `-`, with `/` between them.
    ///
    /// So a name stays inside the database's folder: no absolute path, no `.` and no `..`, and none of the folder's
    /// tables, which have a dot in their names.
    static func isZoneName(_ text: String) -> Bool {
        guard (1...100).contains(text.utf8.count) else { return false }
        return text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).allSatisfy { part in
            !part.isEmpty && part.first != UInt8(ascii: "-")
                && part.allSatisfy { byte in
                    byte.isLetter || byte.isDigit || "_+-".utf8.contains(byte)
                }
        }
    }

    /// The names of all zones, in the order of the database's tables; empty where there is no table.
    ///
    /// They stand in `tzdata.zi`, or without links to older names in `zone1970.tab` and `zone.tab`.
    ///
    /// - Complexity: O(*n*) for *n* bytes of the table, about 100,000.
    public func names() -> [String] {
        for folder in folders {
            for (table, column) in [("tzdata.zi", nil), ("zone1970.tab", 2), ("zone.tab", 2)] as [(String, Int?)] {
                guard case .bytes(let bytes) = SystemFile.content(ofFile: folder + "/" + table, limit: 1 << 20) else {
                    continue
                }
                let names = bytes.split(separator: UInt8(ascii: "\n")).compactMap { line -> String? in
                    let name = column.map { ZoneDatabase.field($0, ofRow: line) } ?? ZoneDatabase.name(inLine: line)
                    return name.flatMap { ZoneDatabase.isZoneName($0) ? $0 : nil }
                }
                if !names.isEmpty { return names }
            }
        }
        return []
    }

    /// The name in `Z name ...` or `L target name`, lines of `tzdata.zi`.
    private static func name(inLine line: ArraySlice<UInt8>) -> String? {
        let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 3)
        switch fields.first?.first {
        case UInt8(ascii: "Z") where fields.count > 1: return String(decoding: fields[1], as: UTF8.self)
        case UInt8(ascii: "L") where fields.count > 2: return String(decoding: fields[2], as: UTF8.self)
        default: return nil
        }
    }

    /// A field of a row whose fields have tabs between them; `nil` for remarks.
    private static func field(_ column: Int, ofRow row: ArraySlice<UInt8>) -> String? {
        let fields = row.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
        guard row.first != UInt8(ascii: "#"), fields.count > column else { return nil }
        return String(decoding: fields[column], as: UTF8.self)
    }
}

extension Zone {
    /// The zone of an IANA name, from the system's database.
    ///
    /// - Parameter name: In the case that the database has it, such as `Europe/London`; `UTC` needs no database.
    public init(named name: String) throws(ZoneError) {
        self = try ZoneDatabase.system.zone(named: name)
    }
}
