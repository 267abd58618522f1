package import EPGModel
package import EPGOutput

/// The configuration of the programs, combined from defaults, `epg.yml`, the environment and flags.
package struct ServiceConfiguration: Hashable, Sendable {
    /// The guide's database; `nil` for the default location in the user's data folder.
    package var database: String?
    /// The address to listen on. The default is 127.0.0.1:8080.
    package var listen = ListenAddress.port(8080, host: "127.0.0.1")
    /// The default IANA time zone for clients that request none; `nil` for the system's.
    package var zone: String?
    /// The heading of the pages, at most 200 bytes.
    package var title = "TV guide"
    /// The language of the pages; `nil` for the language that each browser prefers.
    package var language: PageLanguage?
    /// The public URL of the server without a trailing slash; `nil` for the host of the request.
    package var publicURL: String?
    /// Settings of the log.
    package var log = LogSettings()
    /// Limits on clients and caches.
    package var limits = ServiceLimits()
    /// Where pages show pictures from.
    package var artwork = ArtworkMode.kept
    /// Hosts of guides, pictures and targets of reminders that may have private, loopback or link-local addresses, in lowercase.
    /// Administrators in the browser may add their URLs.
    package var privateHosts: Set<String> = []
    /// Limits on the contents of an imported guide.
    package var importLimits = ImportLimits()
    /// Origins of other sites that may read responses (CORS), such as `https://tv.example`; `*` for all, empty for
    /// none.
    package var corsOrigins: [String] = []
    /// Addresses of proxies whose `X-Forwarded-For` is trusted; `unix` for those on a Unix socket.
    package var trustedProxies: [String] = []
    /// Whether readers must log in or have a token. The default is `false`.
    package var requiresLogin = false
    /// The folder for guides that are being uploaded; `nil` for the folder of the database.
    package var spool: String?
    /// Days to keep airings after their stop, 0…3660. The default is 7.
    package var retention = 7
    /// The server's refresh schedule: a cron expression in the time zone ``zone``; `nil` for never.
    package var refresh: String?
    /// Settings of `epg browse`.
    package var browse = BrowseSettings()
    /// Logos, genres and texts of outputs.
    package var output = OutputSettings()
    /// Settings of derived listings, without ``zone``; see ``derivedListings``.
    package var derived = DerivedSettings()
    /// Targets of reminders with unique names.
    package var reminders: [ReminderTarget] = []
    /// Configured sources with unique names.
    package var sources: [SourceConfiguration] = []

    /// Creates the default configuration.
    package init() {}

    /// Settings of derived listings in the time zone ``zone``.
    package var derivedListings: DerivedSettings {
        var settings = derived
        settings.zone = zone
        return settings
    }
}

/// Where pages show the pictures of the guide from.
package enum ArtworkMode: String, CaseIterable, Hashable, Sendable {
    /// From the service, which downloads them.
    case kept
    /// From the servers that the guide names.
    case direct
}

/// Settings of the interactive guide.
package struct BrowseSettings: Hashable, Sendable {
    /// The player and its arguments; the URL of the stream is appended. Empty for none.
    package var player: [String] = []
    /// Key bindings, such as `search=ctrl-f`. Empty for the default keys.
    package var keys: [String] = []
}

/// Log settings.
package struct LogSettings: Hashable, Sendable {
    /// Log levels of swift-log, the most verbose first.
    package enum Level: String, CaseIterable, Hashable, Sendable {
        case trace, debug, info, notice, warning, error, critical
    }

    /// The format of log lines.
    package enum Format: String, CaseIterable, Hashable, Sendable {
        /// Readable text.
        case text
        /// One JSON object per line.
        case json
    }

    /// The minimum level to log. The default is `info`.
    package var level = Level.info
    /// The format of log lines. The default is `text`.
    package var format = Format.text
    /// The level of the line for each request. The default is `debug`.
    package var requests = Level.debug
}

/// Limits on clients and caches.
package struct ServiceLimits: Hashable, Sendable {
    /// Maximum number of connections, 1…1,000,000. The default is 4,096.
    package var connections = 4096
    /// Maximum number of connections per IP address, 1…1,000,000. The default is 256.
    package var connectionsPerAddress = 256
    /// Maximum number of requests per IP address and minute; 0 for no limit. The default is 6,000.
    package var requestsPerMinute = 6000
    /// Maximum request body size in bytes, 1 KiB…1 TiB. The default is 512 MiB.
    package var body = 512 << 20
    /// Maximum duration of a query, 10 ms…600 s. The default is 5 s.
    package var queryDeadline = Duration.seconds(5)
    /// Maximum size of cached responses in bytes, 1 MiB…1 TiB. The default is 64 MiB.
    package var cache = 64 << 20
    /// Maximum size of cached schedules in bytes, 1 MiB…1 TiB; rendered text takes up to half of it in addition. The
    /// default is 256 MiB.
    package var schedules = 256 << 20
    /// Maximum size of the folder of pictures in bytes, 1 MiB…1 TiB. The default is 256 MiB.
    package var artwork = 256 << 20
}

/// The address that the server listens on.
package enum ListenAddress: Hashable, Sendable {
    /// A port of a local address; 0 for any free port.
    case port(Int, host: String)
    /// A Unix socket.
    case socket(path: String)
}

// MARK: - Parsing

extension ListenAddress {
    /// The accepted forms, for error messages.
    static let forms =
        "a host and a port such as 127.0.0.1:8080, [::1]:8080 or localhost:8080, a port of 127.0.0.1, "
        + "or the path of a Unix socket such as /run/epg/http.sock"

    /// Parses `host:port`, `[address]:port`, a port (on 127.0.0.1), or a path that contains a slash or begins with
    /// `unix:`.
    package init?(parsing text: String) {
        let isMarked = text.hasPrefix("unix:")
        let path = isMarked ? String(text.dropFirst(5)) : text
        if isMarked || path.contains("/") {
            // `sun_path` has 108 bytes including the terminating zero (unix(7)).
            guard (1...107).contains(path.utf8.count), !path.hasSuffix("/"), !path.contains("\0") else { return nil }
            self = .socket(path: path)
            return
        }
        guard let colon = text.lastIndex(of: ":") else {
            guard let port = SettingText.number(text, in: 0...65_535) else { return nil }
            self = .port(port, host: "127.0.0.1")
            return
        }
        var host = text[..<colon]
        guard let port = SettingText.number(String(text[text.index(after: colon)...]), in: 0...65_535) else {
            return nil
        }
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
            guard host.contains(":"), SettingText.isAddress(String(host)) else { return nil }
        } else {
            let isName = host.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
                    true
                default: false
                }
            }
            guard !host.isEmpty, isName else { return nil }
        }
        self = .port(port, host: String(host))
    }
}
