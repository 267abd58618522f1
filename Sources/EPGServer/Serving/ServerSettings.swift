import EPGCalendar
import HummingbirdCore

/// How the service is set up.
package struct ServerSettings: Sendable {
    package var address = ListeningAddress.port(8080, host: "127.0.0.1")
    package var site: Site
    package var feeds = FeedSettings()
    package var live = LiveSettings()
    package var importing = ImportSettings()

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
