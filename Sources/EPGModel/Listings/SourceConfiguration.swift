/// A source as `epg.yml` sets it up: what the store knows of it too, and what only the settings know.
package struct SourceConfiguration: Hashable, Sendable {
    /// Its name, location, zone, shift, interval, priority, stations and encoding; the location of a command is `nil`.
    package var source: Source
    /// A program and its arguments, whose output is the guide; empty for a source with a location.
    package var command: [String] = []
    /// Variables that this program gets beside the usual ones.
    package var environment: [SecretField] = []
    /// The account whose guide Schedules Direct gives; `nil` for any other source. The location is then that of the API.
    package var schedulesDirect: SchedulesDirectSettings?
    /// A cron expression of five fields that says when it is refreshed; `nil` for every run.
    package var schedule: String?
    /// Seconds by which a run of that may be delayed, from 0 to a day, so that not all ask the same server at once.
    package var jitter: Int64 = 0
    /// Fields that are sent with each request to it.
    package var headers: [SecretField] = []
    /// What is sent as `Authorization: Bearer …`; `nil` for nothing.
    package var token: Secret?
    /// How much of what stood a new guide must bring, in percent from 0 to 100.
    package var minimumShare = 50
    /// Whether its host may have a private, loopback or link-local address.
    package var allowsPrivateAddresses = false
    /// Seconds that a whole fetch or the program may take, from 1 to a day; `nil` for an hour.
    package var timeLimit: Int?

    package init(_ source: Source) {
        self.source = source
    }
}

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

/// A text that nobody else may see, or the place where it is kept. What it is never gets into a log or onto a screen.
package enum Secret: Hashable, Sendable {
    /// The text itself, as it stands in the settings.
    case text(String)
    /// The first line of a file, without blanks around it.
    case file(path: String)
    /// A variable of the environment.
    case environment(String)
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Where it is kept, never what it is.
    package var description: String {
        switch self {
        case .text: "(hidden)"
        case .file(let path): "(the first line of \(path))"
        case .environment(let name): "(the variable \(name))"
        }
    }

    package var debugDescription: String { description }

    /// Without the text, which `dump` and tests that tell differences would print.
    package var customMirror: Mirror { Mirror(self, children: [], displayStyle: .enum) }
}

/// A field that is sent with a request (RFC 9110, 5), whose value may be a secret.
package struct SecretField: Hashable, Sendable {
    /// A token of RFC 9110, 5.6.2, such as `X-Key`.
    package var name: String
    package var value: Secret

    package init(name: String, value: Secret) {
        self.name = name
        self.value = value
    }
}
