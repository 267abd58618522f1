import Glibc

/// Puts a configuration together: flags over the environment over a file over the defaults.
package struct ConfigurationReader: Sendable {
    /// The environment's variables.
    private let environment: [String: String]
    /// Reads a file as text; `nil` where there is none.
    private let readFile: @Sendable (String) throws(ConfigurationError) -> String?

    package init(environment: [String: String]) {
        self.init(environment: environment, readFile: ConfigurationReader.contents(of:))
    }

    init(
        environment: [String: String], readFile: @escaping @Sendable (String) throws(ConfigurationError) -> String?
    ) {
        self.environment = environment
        self.readFile = readFile
    }

    /// - Parameters:
    ///   - file: The file that `--config` names; `nil` for the first that is there of those of ``places``.
    ///   - flags: The values of flags, by the key of the setting.
    /// - Throws: ``ConfigurationError``, also where a file that is named isn't there.
    package func read(
        file: String?, flags: [String: [String]] = [:]
    ) throws(ConfigurationError) -> ConfigurationFindings {
        var findings = ConfigurationFindings()
        if let (path, text) = try find(file) {
            findings.file = path
            let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
            for entry in try ConfigurationFile(path: path, text: text).entries {
                let values =
                    entry.setting.isPath ? entry.values.map { resolved($0, in: folder, entry.setting) } : entry.values
                try findings.apply(entry.setting, values, place: "\(path):\(entry.line)", isNamed: true)
            }
        }
        for setting in Setting.all {
            // An empty variable counts as one that isn't set.
            guard let text = environment[setting.variable], !text.isEmpty else { continue }
            try findings.apply(setting, setting.split(text), place: setting.variable, isNamed: false)
        }
        for setting in Setting.all {
            guard let values = flags[setting.key] else { continue }
            try findings.apply(setting, values.flatMap(setting.split), place: "--\(setting.flag)", isNamed: false)
        }
        if findings.configuration.database == nil { findings.configuration.database = try defaultDatabase() }
        return findings
    }

    /// Where a file is looked for, in this order.
    package var places: [String] {
        var places: [String] = []
        // A relative XDG_CONFIG_HOME is to be ignored (XDG Base Directory Specification).
        if let folder = environment["XDG_CONFIG_HOME"], folder.hasPrefix("/") {
            places.append(folder + "/epg/epg.yml")
        } else if let home = environment["HOME"], home.hasPrefix("/") {
            places.append(home + "/.config/epg/epg.yml")
        }
        return places + ["/etc/epg/epg.yml"]
    }

    private func find(_ file: String?) throws(ConfigurationError) -> (path: String, text: String)? {
        var named: (path: String, by: String)?
        if let file {
            named = (file, "--config")
        } else if let variable = environment["EPG_CONFIG"], !variable.isEmpty {
            named = (variable, "EPG_CONFIG")
        }
        if let named {
            guard let text = try readFile(named.path) else {
                throw ConfigurationError(place: named.by, reason: "there is no file \(named.path)")
            }
            return (named.path, text)
        }
        for path in places {
            if let text = try readFile(path) { return (path, text) }
        }
        return nil
    }

    /// A path of a file, from the file's folder.
    private func resolved(_ path: String, in folder: String, _ setting: Setting) -> String {
        guard !path.isEmpty, !path.hasPrefix("/") else { return path }
        guard setting.key == "listen" else { return folder + path }
        if path.hasPrefix("unix:"), !path.hasPrefix("unix:/") { return "unix:" + folder + path.dropFirst(5) }
        return path.contains("/") ? folder + path : path
    }

    /// The place for a user's files, the same as that of the command line.
    private func defaultDatabase() throws(ConfigurationError) -> String {
        if let folder = environment["XDG_DATA_HOME"], folder.hasPrefix("/") { return folder + "/epg/guide.sqlite" }
        guard let home = environment["HOME"], home.hasPrefix("/") else {
            throw ConfigurationError(
                place: "database", reason: "HOME isn't set, so the guide has no place; name one with --database")
        }
        return home + "/.local/share/epg/guide.sqlite"
    }

    /// The text of a file of at most a mebibyte.
    private static func contents(of path: String) throws(ConfigurationError) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            let number = errno
            if number == ENOENT || number == ENOTDIR { return nil }
            throw ConfigurationError(place: path, reason: "it can't be read: \(String(cString: strerror(number)))")
        }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(descriptor, &part, part.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else {
                throw ConfigurationError(place: path, reason: "it can't be read: \(String(cString: strerror(errno)))")
            }
            if count == 0 { break }
            bytes += part[..<count]
            guard bytes.count <= 1 << 20 else {
                throw ConfigurationError(place: path, reason: "it has more than a mebibyte; this can't be the settings")
            }
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw ConfigurationError(place: path, reason: "it isn't UTF-8")
        }
        return text
    }
}

extension Setting {
    /// The values in a text of the environment or of a flag.
    fileprivate func split(_ text: String) -> [String] {
        guard isList else { return [text] }
        return text.split(separator: ",").map { part in
            var trimmed = part.drop { $0 == " " }
            while trimmed.last == " " { trimmed.removeLast() }
            return String(trimmed)
        }
    }
}
