/// Where a setting was found.
package enum SettingPlace: Hashable, Sendable, CustomStringConvertible {
    /// Nowhere, so that the default counts.
    case usual
    /// A file, and a line of it, the first of which is 1; `nil` for the file as a whole.
    case file(path: String, line: Int?)
    /// A variable of the environment.
    case variable(String)
    /// A flag, without its two hyphens.
    case flag(String)

    /// `default`, `epg.yml:3`, `EPG_LISTEN`, `--listen`.
    package var description: String {
        switch self {
        case .usual: "default"
        case .file(let path, let line): line.map { "\(path):\($0)" } ?? path
        case .variable(let name): name
        case .flag(let name): "--\(name)"
        }
    }

    /// The file; `nil` elsewhere.
    package var path: String? {
        guard case .file(let path, _) = self else { return nil }
        return path
    }

    /// The line in a file, the first of which is 1; `nil` elsewhere, and for a file as a whole.
    package var line: Int? {
        guard case .file(_, let line) = self else { return nil }
        return line
    }
}
