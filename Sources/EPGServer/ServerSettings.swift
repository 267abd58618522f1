import CProcess
package import EPGCalendar
package import EPGHTTP
package import EPGModel
package import EPGOutput
import EPGRender
import Glibc
import HummingbirdCore
package import Logging
import NIOCore

/// The settings of the service.
package struct ServerSettings: Sendable {
    /// The address to listen on (default: port 8080 of 127.0.0.1).
    package var address = ListeningAddress.port(8080, host: "127.0.0.1")
    /// The identity of the service.
    package var site: Site
    /// The limits of feeds.
    package var feeds = FeedSettings()
    /// The limits and intervals of server-sent events.
    package var live = LiveSettings()
    /// The settings of imports over HTTP, which are disabled by default.
    package var importing = UploadSettings()
    /// The limits of connections and requests.
    package var limits = ConnectionLimits()
    /// The maximum duration of a read of the guide, including the time in queues (default: 5 s).
    package var queryDeadline = Duration.seconds(5)
    /// The maximum number of bytes of cached responses (default: 64 MiB).
    package var cacheCapacity = 64 << 20
    /// The maximum number of bytes of schedules in memory (default: 256 MiB). Texts may take another half of it.
    package var scheduleCapacity = 256 << 20
    /// Origins of other sites whose pages may read responses; `*` for all, none to send no headers.
    package var crossOrigins: [String] = []
    /// Addresses of proxies whose `X-Forwarded-For` is trusted; `unix` for those on a Unix socket.
    package var trustedProxies: [String] = []
    /// The log level of the access log (default: debug).
    package var requestLogLevel = Logger.Level.debug
    /// The path of the database, whose size `/metrics` reports; `nil` if it is unknown.
    package var database: String?
    /// Where the service keeps the pictures of the guide; `nil` for pages that name the servers of the pictures.
    package var artwork: ArtworkSettings?
    /// The passwords and tokens; `nil` without any.
    package var access: AccessSettings?
    /// Returns the time of the next refresh of a source; `nil` if it does not refresh sources.
    package var nextRefresh: (@Sendable (SourceSummary) -> Instant?)?
    /// Returns the current time zone of requests; `nil` for the zone of ``site``.
    package var zone: (@Sendable () -> Zone)?
    /// Called when settings in the database have changed; returns whether they took effect.
    package var settingsChanged: @Sendable () -> Bool = { true }

    /// Creates the default settings of a service.
    package init(site: Site) {
        self.site = site
    }
}

/// The identity of the service.
package struct Site: Hashable, Sendable {
    /// The heading of the pages.
    package var title = Site.defaultTitle
    /// The default time zone of requests, which may change while the service runs: ``GuideService/site`` has the current one.
    package var zone: Zone
    /// The language of the pages (BCP 47); `nil` for the language that each client prefers.
    package var language: String?
    /// The public URL of the service without a trailing slash, such as `https://tv.example`; `nil` to use the host of the
    /// request in feeds.
    package var publicURL: String?
    /// The genres and texts of feeds, and the logos of everything.
    package var output = OutputSettings() { didSet { outputEdition = Site.edition(of: output, logos) } }
    /// The logos of stations, with URLs for pages.
    package var logos = Logos.guide { didSet { outputEdition = Site.edition(of: output, logos) } }
    /// The URLs of pictures in pages, which ``ServerSettings/artwork`` determines.
    var artwork = ArtworkLinks.direct
    /// Whether clients with the token of imports or the session of an administrator may add and remove watch rules.
    package var acceptsRules = false
    /// Whether the settings have targets of reminders.
    package var sendsReminders = false
    /// Identifies ``output`` and ``logos``.
    private var outputEdition = ""
    /// The start of the service, which the service sets.
    var began: Instant?

    /// The heading without a setting, which pages translate.
    private static let defaultTitle = "TV guide"

    /// Returns the heading of pages in a language.
    func title(in texts: PageTexts) -> String { title == Site.defaultTitle ? texts("title") : title }

    /// Creates a site with the default heading.
    ///
    /// - Parameter zone: The default time zone of requests.
    package init(zone: Zone) {
        self.zone = zone
    }

    /// Everything besides the guide and the URL that determines the content of responses. Services with the same edition send
    /// the same responses.
    var edition: String {
        [
            title, zone.name, language ?? "", publicURL ?? "", "\(artwork)", outputEdition, acceptsRules ? "rules" : "",
            sendsReminders ? "reminders" : "", Site.build,
        ].joined(separator: "\n")
    }

    /// Returns a hash that is equal on all machines with the same settings and the same names of files.
    private static func edition(of output: OutputSettings, _ logos: Logos) -> String {
        let text = "\(output)\n" + (logos.folder?.fileNames ?? []).joined(separator: "\n")
        return ContentHasher.fixed.hash(Array(text.utf8).span).base36
    }

    /// Returns the logos with URLs for feeds, which need a host, and the token of the request.
    ///
    /// - Parameter parameters: The parameters of a request, whose host and token become part of its canonical form if they are
    ///   needed.
    func logos(for parameters: inout ParameterReader) throws(Problem) -> Logos {
        let token = try parameters.token(isWritten: logos.folder != nil)
        guard logos.folder != nil else { return logos }
        var logos = logos
        if let token { logos.query = "?token=\(token.percentEncoded)" }
        if publicURL == nil, let origin = parameters.origin() { logos.base = origin + Logos.path }
        return logos
    }

    /// The build ID that the linker wrote into the program; the time of the start if there is none.
    ///
    /// `make release` sets it to a hash of the sources, so that independent builds have the same ID.
    private static let build: String = {
        var size = 0
        guard let bytes = cprocess_build_id(&size) else { return "started \(time(nil))" }
        return (0..<size).map { String(bytes[$0], radix: 16) }.joined(separator: " ")
    }()

    /// Returns the modification time of responses for a version of the guide; `nil` for a new guide.
    ///
    /// It is not earlier than the start of the service, because the edition may change with a restart.
    /// It does not follow changes of the time zone; entity tags do.
    func lastModified(of version: GuideVersion) -> Instant? {
        version.since.map { max($0, began ?? $0) }
    }
}
