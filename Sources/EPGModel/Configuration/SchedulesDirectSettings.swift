/// Schedules Direct as a source: whose account its guide is fetched with, and which of its lineups are wanted.
package struct SchedulesDirectSettings: Hashable, Sendable {
    /// The address of the service's API.
    package static let standardAddress = "https://json.schedulesdirect.org/20141201"

    /// The name of the account, which is no secret.
    package var username: String
    package var password: Secret
    /// Identifiers such as `USA-OTA-60030`; empty for all lineups of the account.
    package var lineups: [String]

    /// The settings of one account; without lineups, all that the account has are wanted.
    package init(username: String, password: Secret, lineups: [String] = []) {
        self.username = username
        self.password = password
        self.lineups = lineups
    }
}
