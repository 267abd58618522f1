internal import EPGModel

/// A setting that can't be taken: where it stands, what is wrong with it, and what is allowed.
package struct ConfigurationError: Error, Hashable, Sendable {
    package let place: SettingPlace
    /// Which setting it is, such as `limits.cache` or `sources[2].schedule`, where sources are counted from 0; `nil` for a
    /// file as a whole.
    package let key: String?
    /// What is wrong and what is allowed, without a full stop. It holds no credentials of URLs.
    package let reason: String

    package init(_ place: SettingPlace, key: String?, reason: String) {
        self.place = place
        self.key = key
        self.reason = reason.withoutURLCredentials
    }

    /// A value that isn't allowed.
    static func notAllowed(
        _ values: [String], at place: SettingPlace, key: String, allowed: String
    ) -> ConfigurationError {
        var shown = values.prefix(8).map { "“\($0.prefix(80))”" }.joined(separator: ", ")
        if values.count > 8 { shown += " and \(values.count - 8) more" }
        return ConfigurationError(
            place, key: key, reason: "\(shown.isEmpty ? "nothing" : shown) can't stand here; allowed: \(allowed)")
    }
}

extension ConfigurationError: CustomStringConvertible {
    /// One line: `epg.yml:3: limits.cache: …`, `EPG_LIMITS_CACHE: …`, `--limits-cache: …`.
    package var description: String {
        switch place {
        case .usual: (key.map { "\($0): " } ?? "") + reason
        case .file: "\(place): " + (key.map { "\($0): " } ?? "") + reason
        case .variable, .flag: "\(place): \(reason)"
        }
    }
}
