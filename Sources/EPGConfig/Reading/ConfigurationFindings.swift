/// A configuration, and where each of its settings was found.
package struct ConfigurationFindings: Sendable {
    /// A setting with what was written.
    package struct Finding: Sendable {
        package let setting: Setting
        /// As they were written; paths are resolved. The default is there too, where it has a text.
        package let values: [String]
        package let place: SettingPlace
    }

    package var configuration = ServiceConfiguration()
    /// The file that was read, if one was.
    package internal(set) var file: String?
    /// What was written, by the key of the setting.
    private var found: [String: Finding] = [:]

    /// Every setting, in the order of ``Setting/all``, with its default where it wasn't set.
    package var settings: [Finding] {
        Setting.all.map { setting in
            found[setting.key] ?? Finding(setting: setting, values: setting.usual.map { [$0] } ?? [], place: .usual)
        }
    }

    /// Takes a setting's values, unless they aren't allowed.
    mutating func apply(
        _ setting: Setting, _ values: [String], at place: SettingPlace, _ problems: inout ConfigurationProblems
    ) {
        guard setting.apply(&configuration, values) else {
            return problems.add(.notAllowed(values, at: place, key: setting.key, allowed: setting.allowed))
        }
        found[setting.key] = Finding(setting: setting, values: values, place: place)
    }

    /// The error of a setting that was read but turns out to be wrong, with the place where it stands.
    package func failure(_ key: String, _ reason: String) -> ConfigurationError {
        ConfigurationError(found[key]?.place ?? .usual, key: key, reason: reason)
    }
}
