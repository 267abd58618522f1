internal import EPGModel

/// An invalid setting: where it is, what is wrong, and what is allowed.
package struct ConfigurationError: Error, Hashable, Sendable {
    /// The origin of the setting.
    package let place: SettingPlace
    /// The setting, such as `limits.cache` or `sources[2].schedule` (counted from 0); `nil` for an error that concerns
    /// no single setting.
    package let key: String?
    /// The problem and the allowed values, without a period and without credentials of URLs.
    package let reason: String

    /// Creates an error. Removes credentials of URLs from the reason.
    package init(_ place: SettingPlace, key: String?, reason: String) {
        self.place = place
        self.key = key
        self.reason = reason.withoutURLCredentials
    }

    /// Returns the error for an invalid value.
    static func notAllowed(
        _ values: [String], at place: SettingPlace, key: String, allowed: String
    ) -> ConfigurationError {
        var shown = values.prefix(8).map { "“\($0.prefix(80))”" }.joined(separator: ", ")
        if values.count > 8 { shown += " and \(values.count - 8) more" }
        return ConfigurationError(
            place, key: key, reason: "invalid value \(shown.isEmpty ? "(empty)" : shown); allowed: \(allowed)")
    }
}

extension ConfigurationError: CustomStringConvertible {
    /// One line: `epg.yml:3: limits.cache: …`, `EPG_LIMITS_CACHE: …`, `--limits-cache: …`.
    package var description: String {
        switch place {
        case .builtIn: (key.map { "\($0): " } ?? "") + reason
        case .database, .file: "\(place): " + (key.map { "\($0): " } ?? "") + reason
        case .variable, .flag: "\(place): \(reason)"
        }
    }
}

/// The origin of a setting.
package enum SettingPlace: Hashable, Sendable, CustomStringConvertible {
    /// The built-in default.
    case builtIn
    /// The database of the guide.
    case database
    /// A file and a line, counted from 1; `nil` for an error that concerns no single line.
    case file(path: String, line: Int?)
    /// An environment variable.
    case variable(String)
    /// A command-line option without the leading hyphens.
    case flag(String)

    /// `default`, `database`, `epg.yml:3`, `EPG_LISTEN`, `--listen`.
    package var description: String {
        switch self {
        case .builtIn: "default"
        case .database: "database"
        case .file(let path, let line): line.map { "\(path):\($0)" } ?? path
        case .variable(let name): name
        case .flag(let name): "--\(name)"
        }
    }

    /// The file; `nil` for other origins.
    package var path: String? {
        guard case .file(let path, _) = self else { return nil }
        return path
    }

    /// The line in a file, counted from 1; `nil` for other origins, and if the error concerns no single line.
    package var line: Int? {
        guard case .file(_, let line) = self else { return nil }
        return line
    }
}

/// Collects errors in settings, up to a limit.
struct ConfigurationProblems {
    /// Maximum number of errors to keep.
    static let limit = 50

    /// The path of the settings file that is being read, as given.
    var path = ""
    /// At most ``limit`` errors: errors of files ordered by line, then the others.
    var errors: [ConfigurationError] {
        // Sorting is not guaranteed to be stable, so the original position breaks ties.
        kept.enumerated().sorted { left, right in
            let lines = (ConfigurationProblems.rank(left.element), ConfigurationProblems.rank(right.element))
            return lines.0 == lines.1 ? left.offset < right.offset : lines.0 < lines.1
        }.map(\.element)
    }
    /// Total number of errors, including those not kept.
    private(set) var count = 0
    private var kept: [ConfigurationError] = []

    /// Counts an error, and keeps it unless the limit is reached.
    mutating func add(_ error: @autoclosure () -> ConfigurationError) {
        count += 1
        if kept.count < ConfigurationProblems.limit { kept.append(error()) }
    }

    // MARK: - Settings files

    /// Adds an error in the file at ``path``.
    mutating func refuse(_ key: String?, _ line: Int?, _ reason: @autoclosure () -> String) {
        let path = path
        add(ConfigurationError(.file(path: path, line: line), key: key, reason: reason()))
    }

    /// Returns the members of a mapping; `nil` after reporting an error for anything else.
    ///
    /// - Parameter line: The line of the error; `nil` for the line of the node.
    mutating func members(
        of node: SettingNode, _ key: String, line: Int? = nil, _ reason: @autoclosure () -> String
    ) -> [SettingNode.Member]? {
        switch node.content {
        case .mapping(let members): return members
        case .refused: break
        default: refuse(key, line ?? node.line, reason())
        }
        return nil
    }

    /// Returns the elements of the list of a member; `nil` after reporting an error for anything else.
    mutating func elements(
        of member: SettingNode.Member, _ key: String, upTo limit: Int = .max, _ reason: @autoclosure () -> String
    ) -> [SettingNode]? {
        switch member.value.content {
        case .list(let elements) where elements.count <= limit: return elements
        case .refused: break
        default: refuse(key, member.line, reason())
        }
        return nil
    }

    /// Returns the texts of a list, or a single text as a list; `nil` after reporting an error for anything else.
    mutating func texts(of node: SettingNode, _ key: String, allowed: @autoclosure () -> String) -> [String]? {
        let elements = if case .list(let elements) = node.content { elements } else { [node] }
        var texts: [String] = []
        for element in elements {
            if case .refused = element.content { continue }
            guard let text = element.text else {
                refuse(key, element.line, "expected a list of plain values; allowed: \(allowed())")
                return nil
            }
            texts.append(text)
        }
        return texts
    }

    private static func rank(_ error: ConfigurationError) -> Int {
        error.place.path == nil ? .max : error.place.line ?? 0
    }
}

/// Invalid settings, with all their errors.
package struct ConfigurationRefusal: Error, Hashable, Sendable {
    /// The errors, in the order of the file, the environment, and the flags: at least one, and at most
    /// ``ConfigurationProblems/limit``.
    package let errors: [ConfigurationError]
    /// Number of further errors, beyond the limit.
    package let omittedCount: Int

    /// Number of errors after the first.
    package var otherCount: Int { errors.count + omittedCount - 1 }

    init(_ error: ConfigurationError) {
        errors = [error]
        omittedCount = 0
    }

    /// Creates the error for collected problems; `nil` if there are none.
    init?(_ problems: ConfigurationProblems) {
        guard problems.count > 0 else { return nil }
        errors = problems.errors
        omittedCount = problems.count - problems.errors.count
    }
}

extension ConfigurationRefusal: CustomStringConvertible {
    /// One line: the first error, and the number of others.
    package var description: String {
        guard let first = errors.first else { return "invalid settings" }
        return otherCount == 0 ? "\(first)" : "\(first) (and \(otherCount) more)"
    }
}
