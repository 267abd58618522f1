/// A configuration, and where each of its settings was found.
package struct ConfigurationFindings: Sendable {
    package var configuration = ServiceConfiguration()
    /// The file that was read, if one was.
    package internal(set) var file: String?
    /// Where a setting was found, by its key, and whether the place must be told apart from others by that key; settings at
    /// their defaults are missing.
    private var places: [String: (place: String, isNamed: Bool)] = [:]

    /// Takes a setting's values.
    mutating func apply(
        _ setting: Setting, _ values: [String], place: String, isNamed: Bool
    ) throws(ConfigurationError) {
        guard setting.apply(&configuration, values) else {
            throw .notAllowed(values, for: setting, place: place, isNamed: isNamed)
        }
        places[setting.key] = (place, isNamed)
    }

    /// The error of a setting that was read but turns out to be wrong, with the place where it stands.
    package func failure(_ key: String, _ reason: String) -> ConfigurationError {
        guard let (place, isNamed) = places[key] else { return ConfigurationError(place: key, reason: reason) }
        return ConfigurationError(place: place, reason: isNamed ? "\(key): \(reason)" : reason)
    }
}
