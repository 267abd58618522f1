/// An account at Schedules Direct, and which of its lineups are wanted.
package struct SchedulesDirectAccount: Hashable, Sendable {
    package var username: String
    /// The password itself; what is sent is its SHA-1. It is never shown.
    package var password: String
    /// Identifiers such as `USA-OTA-60030`; empty for all lineups of the account.
    package var lineups: [String]

    /// An account whose password has been read; without lineups, all that it has are wanted.
    package init(username: String, password: String, lineups: [String] = []) {
        self.username = username
        self.password = password
        self.lineups = lineups
    }
}

extension SchedulesDirectAccount: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Without the password.
    package var description: String { "\(username): \(lineups.isEmpty ? "all" : lineups.joined(separator: ", "))" }

    package var debugDescription: String { description }

    /// Without the password, which `dump` and tests that tell differences would print.
    package var customMirror: Mirror { Mirror(self, children: ["username": username, "lineups": lineups]) }
}
