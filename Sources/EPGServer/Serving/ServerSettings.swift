import EPGCalendar
package import EPGModel
import HummingbirdCore
package import Logging

/// How the service is set up.
package struct ServerSettings: Sendable {
    package var address = ListeningAddress.port(8080, host: "127.0.0.1")
    package var site: Site
    package var feeds = FeedSettings()
    package var live = LiveSettings()
    package var importing = ImportSettings()
    package var limits = ConnectionLimits()
    /// How long one question to the guide may take.
    package var queryDeadline = Duration.seconds(5)
    /// Bytes of answers that are kept in memory.
    package var cacheCapacity = 64 << 20
    /// Bytes of schedules that are kept in memory; half as much again may be texts.
    package var scheduleCapacity = 256 << 20
    /// Origins of other sites' pages that may read; `*` for all, none for no fields at all.
    package var crossOrigins: [String] = []
    /// Addresses of proxies whose `X-Forwarded-For` is believed; `unix` for those on a Unix socket.
    package var trustedProxies: [String] = []
    /// The level of the line that each request gets in the log.
    package var requestLogLevel = Logger.Level.debug
    /// The path of the database, whose size `/metrics` tells; `nil` where it isn't known.
    package var database: String?
    /// The token that whoever reads `/metrics` must send; `nil` where everybody may read it.
    package var metricsToken: [UInt8]?
    /// When the service refreshes a source next by itself; `nil` where others do.
    package var nextRefresh: (@Sendable (SourceSummary) -> Instant?)?

    package init(site: Site) {
        self.site = site
    }
}

/// Where the service listens.
package enum ListeningAddress: Hashable, Sendable {
    /// A port of an address of this machine; 0 for any that is free.
    case port(Int, host: String)
    /// A Unix socket.
    case socket(path: String)

    var bindAddress: BindAddress {
        switch self {
        case .port(let port, let host): .hostname(host, port: port)
        case .socket(let path): .unixDomainSocket(path: path)
        }
    }
}

extension ListeningAddress: CustomStringConvertible {
    /// `http://127.0.0.1:8080`, `unix:/run/epg/http.sock`.
    package var description: String {
        switch self {
        case .port(let port, let host): "http://\(host.contains(":") ? "[\(host)]" : host):\(port)"
        case .socket(let path): "unix:\(path)"
        }
    }
}
