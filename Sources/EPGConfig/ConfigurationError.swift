/// A setting that can't be taken: where it stands, what is wrong with it, and what is allowed.
package struct ConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Where it stands: `epg.yml:3`, `EPG_LISTEN`, `--listen`.
    package let place: String
    /// What is wrong and what is allowed, without a full stop.
    package let reason: String

    package init(place: String, reason: String) {
        self.place = place
        self.reason = reason
    }

    package var description: String { "\(place): \(reason)" }

    /// A value that isn't allowed.
    static func notAllowed(_ values: [String], for setting: Setting, place: String, isNamed: Bool) -> ConfigurationError
    {
        let shown = values.map { "“\($0.prefix(80))”" }.joined(separator: ", ")
        return ConfigurationError(
            place: place,
            reason:
                "\(isNamed ? setting.key + ": " : "")\(shown.isEmpty ? "nothing" : shown) can't stand here; allowed: \(setting.allowed)"
        )
    }
}
