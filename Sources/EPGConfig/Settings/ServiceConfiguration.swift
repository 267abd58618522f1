package import EPGModel

/// How the programs are set up: what `epg.yml`, the environment and the flags say, one over the other.
package struct ServiceConfiguration: Hashable, Sendable {
    /// The guide's database; `nil` for the place of a user's files.
    package var database: String?
    /// Where to listen.
    package var listen = ListenAddress.port(8080, host: "127.0.0.1")
    /// The IANA zone of people who name none; `nil` for the system's.
    package var zone: String?
    /// What the pages are headed with.
    package var title = "TV guide"
    /// The address under which others reach the service, without a slash at the end; `nil` for the one that was asked.
    package var publicAddress: String?
    package var log = LogChoice()
    package var limits = ServiceLimits()
    /// How much an imported guide may bring.
    package var importing = ImportLimits()
    /// The origins of other sites' pages that may read, such as `https://tv.example`; `*` for all, none for no other site.
    package var corsOrigins: [String] = []
    /// Addresses of proxies whose `X-Forwarded-For` is believed; `unix` for those on a Unix socket.
    package var trustedProxies: [String] = []
    /// The file whose first line is the token for imports; `nil` for no imports over HTTP.
    package var tokenFile: String?
    /// The file whose first line is the token for `/metrics`; `nil` where everybody may read it.
    package var metricsTokenFile: String?
    /// The folder in which a guide that is being received is kept; `nil` for the folder of the database.
    package var spool: String?
    /// The days that airings stay after their stop, from 0 to 3660.
    package var retention = 7
    /// When the service refreshes the guide by itself, as a cron expression by the clocks of ``zone``; `nil` for never.
    package var refresh: String?
    /// What is set for `epg browse`.
    package var browse = BrowseChoice()
    /// What is refreshed; each has a name of its own.
    package var sources: [SourceConfiguration] = []

    package init() {}
}

/// What is set for the interactive guide.
package struct BrowseChoice: Hashable, Sendable {
    /// The player and its arguments, to which the stream's URL is appended; empty for none.
    package var player: [String] = []
    /// Actions and their keys, such as `search=ctrl-f`.
    package var keys: [String] = []
}

/// What is logged, and how.
package struct LogChoice: Hashable, Sendable {
    /// How much is told, the most first; the names are those of swift-log.
    package enum Level: String, CaseIterable, Hashable, Sendable {
        case trace, debug, info, notice, warning, error, critical
    }

    /// In which form lines are written.
    package enum Format: String, CaseIterable, Hashable, Sendable {
        /// A line for people.
        case text
        /// A JSON object on a line.
        case json
    }

    /// Lines below it aren't written.
    package var level = Level.info
    package var format = Format.text
    /// The level of the line that each request gets.
    package var requests = Level.debug
}

/// What clients may take.
package struct ServiceLimits: Hashable, Sendable {
    /// Connections in all.
    package var connections = 4096
    /// Connections of one address.
    package var connectionsPerAddress = 256
    /// Requests of one address in a minute; 0 for no limit.
    package var requestsPerMinute = 6000
    /// Bytes of a body that is sent to the service.
    package var body = 512 << 20
    /// How long one question to the guide may take.
    package var queryDeadline = Duration.seconds(5)
    /// Bytes of answers that are kept in memory.
    package var cache = 64 << 20
    /// Bytes of schedules that are kept in memory; half as much again may be texts.
    package var schedules = 256 << 20
}

/// Where the service listens.
package enum ListenAddress: Hashable, Sendable {
    /// A port of an address of this machine; 0 for any that is free.
    case port(Int, host: String)
    /// A Unix socket.
    case socket(path: String)
}
