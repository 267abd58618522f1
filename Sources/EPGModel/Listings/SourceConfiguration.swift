/// A source as the settings (`epg.yml`) define it.
package struct SourceConfiguration: Hashable, Sendable {
    /// The part that the store knows too; the location of a command is `nil`.
    package var source: Source
    /// A program and its arguments, whose output is the guide; empty for a source with a location.
    package var command: [String] = []
    /// Additional environment variables of this program.
    package var environment: [SecretField] = []
    /// The account at Schedules Direct; `nil` for any other source. The location is then that of the API.
    package var schedulesDirect: SchedulesDirectSettings?
    /// A cron expression of five fields for refreshes; `nil` for every run.
    package var schedule: String?
    /// Maximum random delay of a scheduled run in seconds, from 0 to a day, so that not all request the same server at once.
    package var jitter: Int64 = 0
    /// Headers of each request.
    package var headers: [SecretField] = []
    /// Sent as `Authorization: Bearer …`.
    package var token: Secret?
    /// ``ImportSafeguard/minimumShare``
    package var minimumShare = ImportSafeguard.standardShare
    /// Whether its host may have a private, loopback or link-local address.
    package var allowsPrivateAddresses = false
    /// Maximum duration of a fetch or of the program in seconds, from 1 to a day; `nil` for an hour.
    package var timeLimit: Int?

    package init(_ source: Source) {
        self.source = source
    }
}

/// The account of a source at Schedules Direct.
package struct SchedulesDirectSettings: Hashable, Sendable {
    /// The URL of the API.
    package static let standardAddress = "https://json.schedulesdirect.org/20141201"

    package var username: String
    package var password: Secret
    /// Identifiers such as `USA-OTA-60030`; empty for all lineups of the account.
    package var lineups: [String]

    package init(username: String, password: Secret, lineups: [String] = []) {
        self.username = username
        self.password = password
        self.lineups = lineups
    }
}

/// A secret text, or where to read it. The text is never logged or printed.
package enum Secret: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    /// The text itself.
    case text(String)
    /// The first line of a file, without blanks around it.
    case file(path: String)
    /// An environment variable.
    case environment(String)

    /// The place of the text, never the text itself.
    package var description: String {
        switch self {
        case .text: "(hidden)"
        case .file(let path): "(the first line of \(path))"
        case .environment(let name): "(the variable \(name))"
        }
    }

    /// Without the text, which `dump` and failing tests would print.
    package var customMirror: Mirror { Mirror(self, children: [], displayStyle: .enum) }
}

/// A header of a request (RFC 9110, 5) or an environment variable, whose value may be a secret.
package struct SecretField: Hashable, Sendable {
    package var name: String
    package var value: Secret

    package init(name: String, value: Secret) {
        self.name = name
        self.value = value
    }
}
