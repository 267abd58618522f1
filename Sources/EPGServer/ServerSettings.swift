import CProcess
package import EPGCalendar
package import EPGModel
import Glibc
import HummingbirdCore
package import Logging
import NIOCore

/// The settings of the service.
package struct ServerSettings: Sendable {
    package var address = ListeningAddress.port(8080, host: "127.0.0.1")
    package var site: Site
    package var feeds = FeedSettings()
    package var live = LiveSettings()
    package var importing = ImportSettings()
    package var limits = ConnectionLimits()
    /// How long a read of the guide may take, including the time in queues (default: 5 s).
    package var queryDeadline = Duration.seconds(5)
    /// The maximum number of bytes of cached responses (default: 64 MiB).
    package var cacheCapacity = 64 << 20
    /// The maximum number of bytes of schedules in memory (default: 256 MiB). Their texts may take half as much again.
    package var scheduleCapacity = 256 << 20
    /// Origins of other sites whose pages may read responses; `*` for all, none to send no headers.
    package var crossOrigins: [String] = []
    /// Addresses of proxies whose `X-Forwarded-For` is trusted; `unix` for those on a Unix socket.
    package var trustedProxies: [String] = []
    /// The log level of the access log (default: debug).
    package var requestLogLevel = Logger.Level.debug
    /// The path of the database, whose size `/metrics` reports; `nil` if it is unknown.
    package var database: String?
    /// The bearer token for `/metrics`; `nil` if everybody may read it.
    package var metricsToken: [UInt8]?
    /// Returns when the service refreshes a source next; `nil` if it does not refresh sources.
    package var nextRefresh: (@Sendable (SourceSummary) -> Instant?)?

    /// Creates the default settings of a service.
    package init(site: Site) {
        self.site = site
    }
}

/// Where the service listens.
package enum ListeningAddress: Hashable, Sendable {
    /// A port of an address of this machine; 0 for any free port.
    case port(Int, host: String)
    /// A Unix socket.
    case socket(path: String)

    /// The port; `nil` for a Unix socket.
    package var port: Int? { if case .port(let port, _) = self { port } else { nil } }

    /// The address with the port that the system chose.
    func bound(to address: SocketAddress?) -> ListeningAddress {
        if case .port(_, let host) = self, let port = address?.port { .port(port, host: host) } else { self }
    }

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

/// The identity of the service.
package struct Site: Hashable, Sendable {
    /// The heading of the pages.
    package var title = "TV guide"
    /// The time zone of requests that name none.
    package var zone: Zone
    /// The public URL of the service without a trailing slash, such as `https://tv.example`; `nil` if feeds are to name the
    /// host that the client named.
    package var publicAddress: String?
    /// When the service started, which it sets itself.
    var began: Instant?

    /// Creates a site with the default heading.
    ///
    /// - Parameter zone: The time zone of requests that name none.
    package init(zone: Zone) {
        self.zone = zone
    }

    /// Everything that determines the content of responses besides the guide and the URL. Services with the same edition
    /// respond alike.
    var edition: String { [title, zone.name, publicAddress ?? "", Site.build].joined(separator: "\n") }

    /// The build ID that the linker wrote into the program; the time of the start if there is none.
    ///
    /// `make release` sets it to a hash of the sources, so that services agree on it whoever built them, and where.
    private static let build: String = {
        var size = 0
        guard let bytes = cprocess_build_id(&size) else { return "started \(time(nil))" }
        return (0..<size).map { String(bytes[$0], radix: 16) }.joined(separator: " ")
    }()

    /// When responses of a version of the guide became what they are; `nil` for a guide that was never filled.
    ///
    /// The edition may change with a restart, so this is not earlier than the start of the service.
    func lastModified(of version: GuideVersion) -> Instant? {
        version.since.map { max($0, began ?? $0) }
    }
}
