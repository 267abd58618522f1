extension Zone {
    /// The zone of the person or machine that runs the program; never fails, but falls back to UTC.
    ///
    /// First of all what the variable `TZ` says (POSIX 8.3; glibc's manual, "TZ Variable"); when it isn't set, the zone
    /// that `/etc/localtime` points to or holds; then the name in `/etc/timezone`; else UTC, as the C library does.
    public static var current: Zone {
        current(
            variable: SystemFile.environmentVariable("TZ"), localTimePath: "/etc/localtime",
            timeZonePath: "/etc/timezone", database: .system)
    }

    static func current(
        variable: String?, localTimePath: String, timeZonePath: String, database: ZoneDatabase
    ) -> Zone {
        if let variable { return zone(ofVariable: variable, database: database) ?? .utc }

        if let target = SystemFile.destination(ofLink: localTimePath), let name = name(inPath: target, of: database),
            let zone = loaded(name, from: database)
        {
            return zone
        }
        let named = nameInFile(timeZonePath).flatMap { loaded($0, from: database) }
        // A copy of a zone file: what it holds counts, and the other file may tell its name.
        guard let copy = loaded(path: localTimePath, name: "localtime") else { return named ?? .utc }
        if let named, named.hasSameClocks(as: copy) { return named }
        return copy
    }

    /// The zone of a value of `TZ`: `Europe/London`, `:Europe/London`, a path into the database, or a rule such as
    /// `CET-1CEST,M3.5.0,M10.5.0/3`; empty is UTC; `nil` where it means nothing.
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

    /// What a path names below the database, or below any folder `zoneinfo`.
    private static func name(inPath path: String, of database: ZoneDatabase) -> String? {
        for folder in database.folders where path.hasPrefix(folder + "/") {
            return String(path.dropFirst(folder.count + 1))
        }
        let parts = path.split(separator: "/")
        guard let folder = parts.lastIndex(of: "zoneinfo") else { return nil }
        return parts[(folder + 1)...].joined(separator: "/")
    }

    /// The first word of a file.
    private static func nameInFile(_ path: String) -> String? {
        guard case .bytes(let bytes) = SystemFile.content(ofFile: path, limit: 1024) else { return nil }
        let word = bytes.split { $0 <= UInt8(ascii: " ") }.first
        return word.map { String(decoding: $0, as: UTF8.self) }
    }

    /// The zone, or `nil` whatever is wrong: here another way of finding one follows, and UTC in the end.
    private static func loaded(_ name: String, from database: ZoneDatabase) -> Zone? {
        do {
            return try database.zoneIfPresent(named: name)
        } catch {
            return nil
        }
    }

    /// The zone that a file holds, or `nil` whatever is wrong.
    private static func loaded(path: String, name: String) -> Zone? {
        do {
            return try ZoneDatabase.zone(named: name, path: path)
        } catch {
            return nil
        }
    }
}
